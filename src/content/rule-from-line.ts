import { scanHtml } from '../formats/markup/scan-html.js'
import { literalExpression } from '../formats/page-lists/wanted-page.js'
import { checkedSelector, emptyElements, endsBefore } from './apply-rules.js'
import { composed } from './fingerprint.js'
import { partOf } from './html-reading.js'

/** A rule that finds the part of a page in which a line of a difference stands. */
export type FoundRule =
  | { readonly kind: 'selector'; readonly selector: string }
  /** Where no element can be told from others: lines like it. */
  | { readonly kind: 'lines'; readonly expression: string }

interface Element {
  readonly name: string
  readonly id: string | null
  readonly classes: readonly string[]
  readonly parent: Element | null
  text: string
}

/** Larger pages get a rule by lines: the elements of one are held at once. */
const mostLetters = 2_000_000
/** Text kept of an element; a line is found in it or in one of its children. */
const mostText = 20_000

/** A content as it is looked through. */
interface Content {
  /** With their text, each after those it is in. */
  readonly elements: readonly Element[]
  /** All that a reader sees, its markup decoded and left out: a line stands in one piece. */
  readonly text: string
}

/** Elements whose text stands in no line, as the reader of pages has it. */
function isUnseen(name: string): boolean {
  const part = partOf(name)
  return part === 'unseen' || part === 'title'
}

/** In the Unicode form in which differences show lines. O(n × depth). */
function contentOf(html: string): Content {
  const all: Element[] = []
  const texts: string[] = []
  let open: Element | null = null
  let hidden = 0
  scanHtml(composed(html), {
    wants: () => true,
    open(name, { id, class: classes }) {
      if (isUnseen(name)) hidden++
      while (open !== null && endsBefore(open.name, name)) open = open.parent
      const element: Element = {
        name,
        id: id?.trim() || null,
        classes: (classes ?? '').split(/\s+/).filter(Boolean),
        parent: open,
        text: '',
      }
      all.push(element)
      if (!emptyElements.has(name)) open = element
    },
    text(part) {
      if (hidden > 0) return
      texts.push(part)
      for (let each = open; each !== null; each = each.parent)
        if (each.text.length < mostText) each.text += part
    },
    close(name) {
      if (isUnseen(name) && hidden > 0) hidden--
      let each = open
      while (each !== null && each.name !== name) each = each.parent
      if (each !== null) open = each.parent
    },
  })
  return { elements: all, text: texts.join('') }
}

/**
 * A selector for the smallest part that has the line and can be told from all
 * others, in the first of these contents that has it and in the others; else an
 * expression for lines like it, whatever their numbers.
 */
export function ruleFromLine(line: string, htmls: readonly string[]): FoundRule {
  const wanted = normal(composed(line))
  const byLines = { kind: 'lines' as const, expression: lineExpression(line) }
  if (wanted === '') return byLines
  const contents = htmls.filter(({ length }) => length <= mostLetters).map(contentOf)
  const content = contents.find(({ text }) => normal(text).includes(wanted))
  if (content === undefined) return byLines
  const { elements } = content
  const place = elements.findLast(({ text }) => normal(text).includes(wanted)) ?? null
  for (let element = place; element !== null; element = element.parent) {
    if (element.name === 'body' || element.name === 'html') break
    for (const selector of selectorsOf(element)) {
      if (!isTaken(selector.written) || countOf(elements, selector) !== 1) continue
      if (contents.every((each) => countOf(each.elements, selector) <= 1))
        return { kind: 'selector', selector: selector.written }
    }
  }
  return byLines
}

interface Selector {
  readonly written: string
  readonly fits: (element: Element) => boolean
}

/** By its id, by each of its classes, and by these within the next element that has an id. */
function* selectorsOf(element: Element): Generator<Selector> {
  const { name, id, classes } = element
  if (id !== null && isName(id)) yield { written: `#${id}`, fits: (each) => each.id === id }
  const named = classes.filter(isName).map(
    (each): Selector => ({
      written: `${name}.${each}`,
      fits: (other) => other.name === name && other.classes.includes(each),
    }),
  )
  yield* named
  let above = element.parent
  while (above !== null && (above.id === null || !isName(above.id))) above = above.parent
  if (above === null) return
  const within = above.id!
  const inside = (other: Element) => {
    for (let each = other.parent; each !== null; each = each.parent)
      if (each.id === within) return true
    return false
  }
  for (const { written, fits } of [
    ...named,
    { written: name, fits: (other: Element) => other.name === name },
  ])
    yield { written: `#${within} ${written}`, fits: (other) => fits(other) && inside(other) }
}

/** Machine-made names differ from one build of a site to the next; signs would have to be escaped. */
function isName(text: string): boolean {
  return /^[a-z][\w-]{0,60}$/i.test(text) && !/\d{3,}|[a-z]\d[a-z]|\d[a-z]\d/i.test(text)
}

function isTaken(selector: string): boolean {
  try {
    checkedSelector(selector)
    return true
  } catch {
    return false
  }
}

function countOf(elements: readonly Element[], { fits }: Selector): number {
  return elements.reduce((sum, each) => sum + (fits(each) ? 1 : 0), 0)
}

function normal(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** For lines like this one: the whole line as it is, but for its numbers, and for spaces that are more than one. */
export function lineExpression(text: string): string {
  const line = text.trim()
  if (line === '') return '^\\s*$'
  // Half a letter is found in no text.
  const start = line.slice(0, 300).replace(/[\ud800-\udbff]$/, '')
  const escaped = literalExpression(start)
    .replace(/\d+/g, '\\d+')
    .replace(/\s+/g, (run) => (run === ' ' ? run : '\\s+'))
  return `^\\s*${escaped}${line.length > 300 ? '' : '\\s*$'}`
}
