import { DAY, type Seconds, type UnixSeconds } from '../../src/model/units.js'

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const two = (value: number) => String(value).padStart(2, '0')

/** A moment short enough for an axis that spans so long: the time of day, the day, or the month. */
export function shortTime(at: UnixSeconds, { span }: { readonly span: Seconds }): string {
  const date = new Date(at * 1000)
  const day = `${date.getUTCDate()} ${months[date.getUTCMonth()]}`
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`
  if (span < 2 * DAY) return span < 600 ? `${clock}:${two(date.getUTCSeconds())}` : clock
  if (span < 8 * DAY) return `${day} ${clock}`
  return span < 300 * DAY ? day : `${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

const steps = [1, 5, 15, 60, 300, 900, 3600, 3 * 3600, 6 * 3600, 12 * 3600]
const daySteps = [1, 2, 7, 14, 30, 91, 182, 365, 1826, 3652]

/** Round moments between two, about so many. */
export function timeTicks(
  { from, until }: { readonly from: UnixSeconds; readonly until: UnixSeconds },
  wanted: number,
): UnixSeconds[] {
  const all = [...steps, ...daySteps.map((days) => days * DAY)]
  const step = all.find((each) => (until - from) / each <= wanted) ?? all[all.length - 1]!
  const ticks: UnixSeconds[] = []
  for (let at = Math.ceil(from / step) * step; at <= until && ticks.length < 50; at += step)
    ticks.push(at)
  return ticks
}
