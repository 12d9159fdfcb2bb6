import { DAY, HOUR, MINUTE, MONTH, YEAR } from '../../src/model/units.js'

/** Durations that people count in. */
const round = [
  ...[1, 2, 5, 10, 30].map((n) => n),
  ...[1, 2, 5, 10, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 4, 7, 14].map((n) => n * DAY),
  ...[1, 2, 3, 6].map((n) => n * MONTH),
  ...[1, 2, 5, 10, 20, 50, 100].map((n) => n * YEAR),
]

/** Round durations between two, spread evenly over a logarithmic axis, about so many. */
export function logDurationTicks([low, high]: readonly [number, number], wanted: number): number[] {
  const within = round.filter((each) => each >= low && each <= high)
  return apart(within, Math.log(high / low) / wanted)
}

/** Round numbers 1, 2, 5, 10, ... between two, for a logarithmic axis. */
export function logNumberTicks([low, high]: readonly [number, number], wanted: number): number[] {
  const from = Math.floor(Math.log10(low))
  const to = Math.ceil(Math.log10(high))
  const all = Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i))
  const within = all
    .flatMap((ten) => [ten, 2 * ten, 5 * ten])
    .filter((each) => each >= low && each <= high)
  return apart(within, Math.log(high / low) / wanted)
}

/** Multiples of a round duration up to an end, about so many. */
export function durationTicks([low, high]: readonly [number, number], wanted: number): number[] {
  const step = round.find((each) => (high - low) / each <= wanted) ?? (high - low) / wanted
  const first = Math.ceil(low / step)
  const count = Math.floor(high / step) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, i) => (first + i) * step)
}

/** Those that stand apart from the one before by so much of a logarithm. */
function apart(values: readonly number[], least: number): number[] {
  const kept: number[] = []
  for (const value of values) {
    const last = kept[kept.length - 1]
    if (last === undefined || Math.log(value / last) >= 0.7 * least) kept.push(value)
  }
  return kept
}
