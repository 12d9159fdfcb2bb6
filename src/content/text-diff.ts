import { diffArrays, diffWordsWithSpace } from 'diff'
import { cut, linesOf, shown } from '../formats/printable-text.js'

/** A stretch of two lists: in both, or in one of them only. */
interface DiffRun {
  readonly value: readonly string[]
  readonly added: boolean
  readonly removed: boolean
}

/**
 * The shortest way from one list to another; null where it takes more edits than
 * `mostEdits`. What differs in too many items is known by counting them, before
 * any way is looked for. O(n + edits²) [Myers 1986].
 */
export function boundedDiff(
  old: readonly string[],
  young: readonly string[],
  { mostEdits }: { readonly mostEdits: number },
): readonly DiffRun[] | null {
  if (leastEdits(old, young) > mostEdits) return null
  return diffArrays(old as string[], young as string[], { maxEditLength: mostEdits }) ?? null
}

/** Items that one list has more often than the other: so many edits are needed at least. O(n). */
function leastEdits(old: readonly string[], young: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const item of old) counts.set(item, (counts.get(item) ?? 0) + 1)
  for (const item of young) counts.set(item, (counts.get(item) ?? 0) - 1)
  let edits = 0
  for (const count of counts.values()) edits += Math.abs(count)
  return edits
}

/** A stretch of a line; `changed` where it is in one of the two texts only. */
export interface Words {
  readonly text: string
  readonly changed: boolean
}

/** One line of a comparison. A changed line comes twice, as removed and as added, words compared. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
  readonly words: readonly Words[]
}

/** Texts further apart than this are shown as wholly replaced: finding the shortest way is quadratic. */
const usualEdits = 5000
const mostWordEdits = 500
/** Steps for the words of all lines together; when they are used up, lines are shown whole. */
const mostWordSteps = 3_000_000

/**
 * Compares two texts line by line, and lines that took each other's place word
 * by word, as far as a bounded number of steps goes. O(n + edits²).
 */
export function lineDiff(
  before: string,
  after: string,
  { mostEdits = usualEdits }: { readonly mostEdits?: number } = {},
): DiffLine[] {
  const old = before === '' ? [] : linesOf(before)
  const young = after === '' ? [] : linesOf(after)
  const diff = new LineDiff()
  const runs = boundedDiff(old, young, { mostEdits })
  if (runs === null) diff.replaced(old, young)
  let removed: readonly string[] = []
  for (const { value, added, removed: gone } of runs ?? []) {
    if (gone) removed = value
    else {
      diff.replaced(removed, added ? value : [])
      if (!added) diff.same(value)
      removed = []
    }
  }
  diff.replaced(removed, [])
  return diff.lines
}

class LineDiff {
  readonly lines: DiffLine[] = []
  #steps = mostWordSteps

  same(texts: readonly string[]): void {
    for (const text of texts) this.lines.push(whole('same', text))
  }

  /** Lines in the place of others: in pairs while there are such, all removed ones first. */
  replaced(old: readonly string[], young: readonly string[]): void {
    const added: DiffLine[] = []
    for (const [i, text] of old.entries()) {
      const other = young[i]
      const pair = other === undefined ? null : this.#words(text, other)
      this.lines.push(pair?.removed ?? whole('removed', text))
      if (other !== undefined) added.push(pair?.added ?? whole('added', other))
    }
    for (const line of added) this.lines.push(line)
    for (const text of young.slice(old.length)) this.lines.push(whole('added', text))
  }

  /** Two lines word by word; null where they are too far apart, or the steps are used up. */
  #words(old: string, young: string): { removed: DiffLine; added: DiffLine } | null {
    this.#steps -= old.length + young.length
    const most = Math.min(mostWordEdits, Math.floor(Math.sqrt(Math.max(0, this.#steps))))
    if (most < 1) return null
    const parts = diffWordsWithSpace(old, young, { maxEditLength: most })
    const edits = parts?.reduce(
      (sum, { added, removed, count }) => sum + (added || removed ? count : 0),
      0,
    )
    this.#steps -= (edits ?? most) ** 2
    if (parts === undefined) return null
    const side = (kind: 'removed' | 'added', text: string): DiffLine => {
      const other = kind === 'removed' ? 'added' : 'removed'
      const words = parts.filter((part) => !part[other])
      return { kind, text, words: words.map((part) => ({ text: part.value, changed: part[kind] })) }
    }
    return { removed: side('removed', old), added: side('added', young) }
  }
}

function whole(kind: DiffLine['kind'], text: string): DiffLine {
  return { kind, text, words: [{ text, changed: kind !== 'same' }] }
}

/** What differs between two texts, short. */
export interface TextChange {
  /** Letters that are in one text only, as a share of the letters of both. */
  readonly share: number
  readonly diff: string
  /** The words that went and those that came, a line each. */
  readonly excerpt: Excerpt
}

/** What is new and what is gone, as two lines for a list of changes. */
export interface Excerpt {
  readonly removed: string
  readonly added: string
}

/** Longer texts are not compared. */
const mostLetters = 1_000_000
/** The shortest way between texts takes time that grows with the square of this. */
const mostEdits = 1000
const mostDiff = 4000
const mostLine = 300
const signs = { removed: '-', added: '+' } as const

/** Compares two texts; null where one is too long for it. */
export function textChange(before: string, after: string): TextChange | null {
  if (before.length > mostLetters || after.length > mostLetters) return null
  const lines = lineDiff(before, after, { mostEdits })
  const excerpt = { removed: excerptOf(lines, 'removed'), added: excerptOf(lines, 'added') }
  return { share: changedShare(lines), diff: shortDiff(lines), excerpt }
}

function changedShare(lines: readonly DiffLine[]): number {
  let [changed, all] = [0, 0]
  for (const { kind, words } of lines)
    for (const { text, changed: differs } of words) {
      all += kind === 'same' ? 2 * text.length : text.length
      if (kind !== 'same' && differs) changed += text.length
    }
  return all === 0 ? 0 : changed / all
}

/** Changed lines alone. Controls are made visible: the text goes to terminals and into mails. */
function shortDiff(lines: readonly DiffLine[]): string {
  let diff = ''
  for (const { kind, text } of lines) {
    if (kind === 'same' || text.trim() === '') continue
    const line = `${signs[kind]} ${cut(shown(text.trim()), mostLine)}\n`
    if (diff.length + line.length > mostDiff) return `${diff}...\n`
    diff += line
  }
  return diff
}

/** Letters of a line of an excerpt, and of unchanged words beside a changed one. */
const mostExcerpt = 240
const mostAround = 30

/** The changed words of one side with a little of what stands around them, lines joined by a slash. */
function excerptOf(lines: readonly DiffLine[], side: 'removed' | 'added'): string {
  const parts: string[] = []
  let length = 0
  for (const { kind, text, words } of lines) {
    if (kind !== side || text.trim() === '') continue
    const part = words
      .map((each, place) => (each.changed ? each.text : around(each.text, place, words.length)))
      .join('')
    if (!words.some((each) => each.changed && each.text.trim() !== '')) continue
    parts.push(shown(part.replace(/\s+/g, ' ').trim()))
    length += part.length
    if (length > mostExcerpt) break
  }
  return cut(parts.join(' / '), mostExcerpt)
}

/** Unchanged words, shortened where they are many: their end before a change, their beginning after it. */
function around(text: string, place: number, of: number): string {
  if (text.length <= 2 * mostAround) return text
  const after = place === 0 ? '' : wholeWords(text.slice(0, mostAround), /\S*$/u)
  const before = place === of - 1 ? '' : wholeWords(text.slice(-mostAround), /^\S*/u)
  return `${after}…${before}`
}

/** Without the word that was cut in two, unless it is all there is. */
function wholeWords(text: string, broken: RegExp): string {
  const whole = text.replace(broken, '')
  return whole.trim() === '' ? text : whole
}
