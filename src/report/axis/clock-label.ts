import { DAY, MINUTE, type Seconds } from '../../model/index.js'

/** Shorter axes of time have ticks within the day, and hours are told by the clock of 24. */
export const longestByClock: Seconds = 6 * DAY

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** A tick within the day, UTC: `12:00`, with the day below where it is a new one. */
export function clockLabel(tick: Date, i: number, ticks: readonly Date[] = []): string {
  const fine = ticks.some((each) => (each.getTime() / 1000) % MINUTE !== 0)
  const time = tick.toISOString().slice(11, fine ? 19 : 16)
  const before = ticks[i - 1]
  return before !== undefined && dayOf(before) === dayOf(tick) ? time : `${time}\n${dayOf(tick)}`
}

function dayOf(tick: Date): string {
  return `${tick.getUTCDate()} ${months[tick.getUTCMonth()]}`
}
