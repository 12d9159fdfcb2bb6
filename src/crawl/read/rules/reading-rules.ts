import { type Json, OptionError } from '../../../model/index.js'
import { checkedExpression } from './checked-expression.js'
import { checkedPath } from './json-path.js'
import { checkedSelector } from './selected-html.js'

/** What two contents are compared by, from the strictest to the most lenient. */
export const comparisons = ['bytes', 'text', 'words-and-links', 'near-duplicate'] as const
export type Comparison = (typeof comparisons)[number]

/** How one page is read; kept in its settings as `reading`, and nothing of it where nothing was chosen. */
export interface ReadingRules {
  /** Text unless said. */
  readonly compare?: Comparison
  /** Near-duplicate: how many of 64 bits may differ; 3 unless said. */
  readonly bits?: number
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

export const noRules: ReadingRules = Object.freeze({})
export const defaultBits = 3
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
  const known = new Set(['compare', 'bits', ...Object.keys(lists)])
  for (const name of Object.keys(raw))
    if (!known.has(name)) throw bad(`there is no reading rule "${name}"`)
  const { compare, bits } = raw as { compare?: Json; bits?: Json }
  if (compare !== undefined && !comparisons.includes(compare as Comparison))
    throw bad(`pages are compared by ${comparisons.join(', ')}; got ${JSON.stringify(compare)}`)
  if (bits !== undefined && !(Number.isInteger(bits) && Number(bits) >= 0 && Number(bits) <= 32))
    throw bad(`near-duplicate takes 0 to 32 bits; got ${JSON.stringify(bits)}`)
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
