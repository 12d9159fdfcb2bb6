import { hash } from 'node:crypto'
import { OptionError } from '../model/errors.js'
import { LruMap } from '../model/lru-map.js'
import type { PageRecord } from '../model/page.js'
import type { Json } from '../model/units.js'
import { checkedSelector } from './apply-rules.js'
import { checkedPath, type JsonPath } from './media-text.js'
import { type Mask, noiseOf } from './noise/masks.js'

/**
 * A regular expression of a reading rule: Unicode; `(?i)` before it takes small
 * and large letters for the same, as in Python. One that repeats a group in
 * which something is repeated or chosen is refused:
 * such groups can take longer than the age of the universe. What passes and is
 * slow all the same is stopped when it runs.
 */
function checkedExpression(source: string): RegExp {
  let made: RegExp
  try {
    const [bare, flags] = source.startsWith('(?i)') ? [source.slice(4), 'giu'] : [source, 'gu']
    made = new RegExp(bare, flags)
  } catch (error) {
    throw new OptionError(
      'bad-expression',
      `"${source}" is no regular expression: ${(error as Error).message}`,
    )
  }
  if (repeatsRepetition(source))
    throw new OptionError(
      'slow-expression',
      `"${source}" repeats a group in which something is repeated or chosen, which may never end; write it without the outer or the inner repetition`,
    )
  return made
}

/** Whether a group with a quantifier or `|` in it is itself repeated without a small limit. */
function repeatsRepetition(source: string): boolean {
  const bare = source.replace(/\\./gu, 'x').replace(/\[[^\]]*\]/gu, 'x')
  const inner: boolean[] = [false]
  for (let i = 0; i < bare.length; i++) {
    const char = bare[i]!
    if (char === '(') {
      inner.push(false)
      if (bare[i + 1] === '?') i++
    } else if (char === ')') {
      const within = inner.pop() === true
      if (within && repeated.test(bare.slice(i + 1))) return true
      if (within && inner.length > 0) inner[inner.length - 1] = true
    } else if (char === '|' || repeated.test(bare.slice(i, i + 12))) inner[inner.length - 1] = true
  }
  return false
}

const repeated = /^(?:[*+]|\{\d+,\}|\{\d+,\d{2,}\}|\{\d{2,}\})/

/** What two contents are compared by, from the strictest to the most lenient. */
const comparisons = ['bytes', 'text', 'words-and-links', 'near-duplicate', 'pixels'] as const
export type ComparedBy = (typeof comparisons)[number]

/** How one page is read; kept in its settings as `reading`, and nothing of it where nothing was chosen. */
export interface ReadingRules {
  /** Text by default. */
  readonly compare?: ComparedBy
  /** Near-duplicate: how many of 64 bits may differ; 3 by default. */
  readonly bits?: number
  /** Pixels: how many of a hundred may differ; see `defaultPixels`. A rendered page without a screenshot is compared by its text. */
  readonly pixels?: number
  /** CSS selectors: only what they select counts. */
  readonly select?: readonly string[]
  /** CSS selectors: what they select does not count. */
  readonly ignore?: readonly string[]
  /** Regular expressions: what they match in a line does not count. */
  readonly ignoreText?: readonly string[]
  /** Regular expressions: lines in which they match do not count. */
  readonly ignoreLines?: readonly string[]
  /** Paths in JSON, such as `$.meta.time` or `$..id`, that do not count. */
  readonly ignorePaths?: readonly string[]
  /** A change counts only where one of these words appears. */
  readonly appear?: readonly string[]
  /** A change counts only where one of these words disappears. */
  readonly disappear?: readonly string[]
}

const noRules: ReadingRules = Object.freeze({})
const defaultBits = 3
/** Of a hundred; a line of text is about as much. */
export const defaultPixels = 0.1
const longest = 1000
const most = 50

const lists = {
  select: checkedSelector,
  ignore: checkedSelector,
  ignoreText: checkedExpression,
  ignoreLines: checkedExpression,
  ignorePaths: checkedPath,
  appear: (phrase: string) => phrase,
  disappear: (phrase: string) => phrase,
} as const

/** The rules that a setting holds; throws an OptionError that says what is wrong with them. */
export function readingRules(raw: Json | undefined): ReadingRules {
  if (raw === undefined || raw === null) return noRules
  if (typeof raw !== 'object' || Array.isArray(raw)) throw bad('reading rules are one object')
  const known = new Set(['compare', 'bits', 'pixels', ...Object.keys(lists)])
  for (const name of Object.keys(raw))
    if (!known.has(name)) throw bad(`there is no reading rule "${name}"`)
  const { compare, bits, pixels } = raw as { compare?: Json; bits?: Json; pixels?: Json }
  if (compare !== undefined && !comparisons.includes(compare as ComparedBy))
    throw bad(`pages are compared by ${comparisons.join(', ')}; got ${JSON.stringify(compare)}`)
  if (bits !== undefined && !(Number.isInteger(bits) && Number(bits) >= 0 && Number(bits) <= 32))
    throw bad(`near-duplicate takes 0 to 32 bits; got ${JSON.stringify(bits)}`)
  if (pixels !== undefined && !(typeof pixels === 'number' && pixels >= 0 && pixels <= 100))
    throw bad(`of a hundred pixels 0 to 100 may differ; got ${JSON.stringify(pixels)}`)
  for (const [name, check] of Object.entries(lists))
    checkList((raw as Record<string, Json>)[name], { name, check })
  return raw as ReadingRules
}

function checkList(
  list: Json | undefined,
  { name, check }: { name: string; check: (text: string) => unknown },
): void {
  if (list === undefined) return
  if (!Array.isArray(list) || list.length > most) throw bad(`${name} takes up to ${most} texts`)
  for (const each of list as readonly Json[]) {
    if (typeof each !== 'string' || each.trim() === '' || each.length > longest)
      throw bad(`${name} takes texts of up to ${longest} characters; got ${JSON.stringify(each)}`)
    check(each)
  }
}

function bad(message: string): OptionError {
  return new OptionError('bad-reading-rule', message)
}

/** A page's rules, ready to be used. */
export interface PageRules {
  readonly compare: ComparedBy
  readonly select: readonly string[]
  readonly ignore: readonly string[]
  readonly lines: readonly RegExp[]
  readonly matches: readonly RegExp[]
  readonly paths: readonly JsonPath[]
  readonly appear: readonly string[]
  readonly disappear: readonly string[]
  readonly masks: readonly Mask[]
  /** Stands before fingerprints made by these rules; nothing for the usual ones. */
  readonly mark: string
}

/** Whether nothing counts but words that appear or disappear. */
export function waitsForWords({ appear, disappear }: PageRules): boolean {
  return appear.length + disappear.length > 0
}

/** Pages without rules of their own, for who needs the usual ones in the same form. */
export const usualRules: PageRules = prepared({}, { masks: [], key: '' })

/** Rules made ready, by what a page's record holds of them; the last thousand. */
const ready = new LruMap<PageRules>({ most: 1000 })

/** Stands in the key of a rendered page's rules; the word as stores of 0.1 have it. */
const renderedMark = 'drawn'

/** How a page is read; null where it has no rules of its own. Throws an OptionError for bad ones. */
export function pageRules(page: PageRecord | undefined): PageRules | null {
  const reading = page?.settings.reading ?? undefined
  const { masks } = noiseOf(page?.noise)
  // A page rendered by a browser is not to be compared with its bare HTML.
  const rendered = page?.settings.browser === true ? [renderedMark] : []
  if (reading === undefined && masks.length + rendered.length === 0) return null
  const bare = masks.map(({ example: _, ...rest }) => rest)
  const key = JSON.stringify([reading ?? null, bare, ...rendered])
  const known = ready.get(key)
  if (known !== undefined) return known
  const made = prepared(readingRules(reading), { masks, key })
  ready.set(key, made)
  return made
}

function prepared(
  rules: ReadingRules,
  { masks, key }: { masks: readonly Mask[]; key: string },
): PageRules {
  const compare = rules.compare ?? 'text'
  const [appear, disappear] = [rules.appear ?? [], rules.disappear ?? []]
  const kind =
    appear.length + disappear.length > 0
      ? 'w'
      : compare === 'near-duplicate'
        ? `n${rules.bits ?? defaultBits}`
        : 'r'
  return {
    compare,
    select: rules.select ?? [],
    ignore: rules.ignore ?? [],
    lines: (rules.ignoreLines ?? []).map(checkedExpression),
    matches: (rules.ignoreText ?? []).map(checkedExpression),
    paths: (rules.ignorePaths ?? []).map(checkedPath),
    appear,
    disappear,
    masks,
    mark: `${kind}.${hash('sha256', key, 'hex').slice(0, 10)}:`,
  }
}
