import { readContent } from '../content/read-content.js'
import { lastModifiedOf, parsedHttpDate } from '../formats/time/web-dates.js'
import type { FetchAnswer } from '../model/fetcher.js'
import type { Declared, Hint } from '../model/hint.js'
import { DAY, type Seconds, type UnixSeconds, YEAR } from '../model/units.js'

/** RFC 9111, 1.2.2: more than 2^31 seconds is as long as that; a year is as long as anybody means. */
const longest: Seconds = YEAR

/**
 * How long caches may keep an answer without asking, from when it came; null
 * where it says nothing or that it may not be kept. `max-age` counts before
 * Expires, and Age is taken off; s-maxage is for shared caches, which we are
 * not. An Expires that cannot be read is in the past (RFC 9111, 5.3).
 *
 * RFC 9111, 4.2.1 and 5.2.2.
 */
export function cacheLifetime(
  headers: Readonly<Record<string, string>>,
  { now }: { readonly now: UnixSeconds },
): Seconds | null {
  const control = (headers['cache-control'] ?? '').slice(0, 2000)
  if (/(?:^|[\s,])(?:no-cache|no-store)(?:[\s,=]|$)/i.test(control)) return null
  const found = /(?:^|[\s,])max-age\s{0,5}=\s{0,5}"?(\d{1,15})/i.exec(control)
  const lifetime = found === null ? untilExpires(headers, now) : Number(found[1])
  const spent = /^\s*(\d{1,12})/.exec(headers.age ?? '')
  const left = Math.min(longest, lifetime) - Number(spent?.[1] ?? 0)
  return left > 0 ? left : null
}

function untilExpires(headers: Readonly<Record<string, string>>, now: UnixSeconds): Seconds {
  const { expires, date } = headers
  if (expires === undefined || expires.length > 100) return 0
  const answered = date === undefined ? now : parsedHttpDate(date, { now })
  const left = parsedHttpDate(expires, { now }) - (Number.isNaN(answered) ? now : answered)
  return Number.isNaN(left) ? 0 : left
}

/** What stands around the words is passed over, but not for ever. */
const longestOfChangeFrequencyTag = 1000
const form =
  /(?:^|[^a-z])(static|periodic|non[-\s_]{0,3}uniform)(?![a-z])(?:[^\d\w=:,;-]{0,20}[=:]?[^\d\w,;-]{0,20}(\d{1,9}(?:\.\d{1,9})?(?:\s{0,3}[,;/\s]\s{0,3}\d{1,9}(?:\.\d{1,9})?){0,60}))?/i
const extremes: { readonly shortest: Seconds; readonly longest: Seconds } = {
  shortest: 60,
  longest: 100 * YEAR,
}

/**
 * Reads the content of `<meta name="Change-Frequency">` in its three forms:
 * `STATIC`, `PERIODIC=7` and `nonuniform=3`, in any case and with junk around
 * them. Numbers are days, as in the paper's Example 1. A nonuniform tag may
 * hold a list (counts of several weeks); the last number is the newest, and the
 * one that the paper's rule posts. Null where it says none of these, or a
 * period of nothing.
 *
 * Hattab, section 3, Example 1, and section 4, step 4.
 */
export function changeFrequencyTag(content: string): Declared | null {
  const found = form.exec(content.slice(0, longestOfChangeFrequencyTag))
  if (found === null) return null
  const word = found[1]!.toLowerCase()
  if (word === 'static') return { kind: 'static' }
  const numbers = (found[2] ?? '').split(/[,;/\s]+/).filter((each) => each !== '')
  if (word === 'periodic') {
    const period = days(numbers[0])
    return period === null ? null : { kind: 'periodic', period }
  }
  return { kind: 'nonuniform', period: days(numbers.at(-1)) }
}

/** Null where there is no number, or none that a page could change by. */
function days(text: string | undefined): Seconds | null {
  const value = Number(text ?? Number.NaN) * DAY
  if (!(value > 0)) return null
  return Math.min(extremes.longest, Math.max(extremes.shortest, value))
}

const tagName = 'change-frequency'
/** Most pages have no tag, and a look costs a hundredth of reading them. */
const mayHaveTag = /change.{0,12}?frequency/i

/** The hints that an answer gives of its own page: its tag, Last-Modified, its cache lifetime. */
export function answerHints(
  answer: FetchAnswer & { readonly kind: 'content' | 'not-modified' },
): readonly Hint[] {
  const { headers, at } = answer
  const hints: Hint[] = []
  const declared = answer.kind === 'content' ? declaredBy(answer) : null
  if (declared !== null) hints.push({ kind: 'meta', claim: { says: 'declared', declared } })
  const changedAt = lastModifiedOf(headers, { now: at })
  if (changedAt !== null)
    hints.push({ kind: 'last-modified', claim: { says: 'changed-at', at: changedAt } })
  const duration = cacheLifetime(headers, { now: at })
  if (duration !== null) hints.push({ kind: 'cache', claim: { says: 'fresh-for', duration } })
  return hints
}

/** The first tag that says something counts. */
function declaredBy(answer: FetchAnswer & { readonly kind: 'content' }) {
  const { body } = answer
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (!isWide(answer) && !mayHaveTag.test(bytes.toString('latin1'))) return null
  for (const { name, content } of readContent(answer).metas) {
    const declared = name === tagName ? changeFrequencyTag(content) : null
    if (declared !== null) return declared
  }
  return null
}

/** Whether letters may take two bytes each, so that a look at single bytes finds no words. */
function isWide({ body, headers }: FetchAnswer & { readonly kind: 'content' }): boolean {
  const marked = body[0]! + body[1]! === 0xff + 0xfe || body[0] === 0 || body[1] === 0
  return marked || /utf-?16/i.test(headers['content-type'] ?? '')
}
