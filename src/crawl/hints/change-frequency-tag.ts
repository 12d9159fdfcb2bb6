import { DAY, type Declared, type Seconds, YEAR } from '../../model/index.js'

/** What stands around the words is passed over, but not for ever. */
const longest = 1000
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
  const found = form.exec(content.slice(0, longest))
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
