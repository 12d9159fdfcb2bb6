import { DAY, HOUR, MINUTE, MONTH, type Seconds, WEEK, YEAR } from '../../../model/index.js'

const round: readonly Seconds[] = [
  1,
  10,
  ...[1, 10, 30].map((count) => count * MINUTE),
  ...[1, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 4].map((count) => count * DAY),
  ...[1, 2].map((count) => count * WEEK),
  ...[1, 2, 3, 6].map((count) => count * MONTH),
  ...[1, 2, 5, 10].map((count) => count * YEAR),
]
const most = 7

/** Times that a person knows, the longest up to the end, closest to it; the end itself if none. */
export function roundTimes(upTo: Seconds): Seconds[] {
  const found = round.filter((time) => time <= upTo).slice(-most)
  return found.length >= 2 ? found : [upTo / 4, upTo / 2, upTo]
}
