import {
  durationTicks as durationMarks,
  durationUnit,
  evenSteps,
  logTicks,
} from '../../src/lab/figures/ticks.js'
import { DAY, HOUR, type UnixSeconds } from '../../src/model/units.js'
import { zoneOffset } from '../parts/words.js'

/** Where the lines of an axis stand: round values from the first to the second, about so many. */
export type Ticks = (range: readonly [number, number], wanted: number) => number[]

/** Durations that people count in, for a logarithmic axis. */
export const logDurationTicks: Ticks = ([low, high], wanted) =>
  durationMarks({ low, high }, { most: wanted }).map(({ at }) => at)

/** Powers of ten, and 2 and 5 between them, for a logarithmic axis; their words are short, so four have room on a phone. */
export const logNumberTicks: Ticks = ([low, high], wanted) =>
  logTicks({ low, high }, { most: Math.max(4, wanted) })

/** Whole numbers, for what is counted; four have room on a phone. */
export const wholeTicks: Ticks = ([low, high], wanted) =>
  evenSteps({ low, high }, { most: Math.max(4, wanted) }).filter(Number.isInteger)

/** Round numbers of the unit that a person would use. */
export const durationTicks: Ticks = ([low, high], wanted) => {
  const { size } = durationUnit(high)
  const steps = evenSteps({ low: low / size, high: high / size }, { most: wanted })
  return steps.map((count) => count * size).filter((each) => each >= low && each <= high)
}

const secondSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800]
const hourSteps = [1, 2, 3, 6, 12]
const daySteps = [1, 2, 3, 7, 14, 30, 91, 182, 365, 1826, 3652]
const timeSteps = [
  ...secondSteps,
  ...hourSteps.map((hours) => hours * HOUR),
  ...daySteps.map((days) => days * DAY),
]

/** Moments that are round by the clock on this person's wall. */
export const timeTicks: Ticks = ([from, until], wanted) => {
  const step = timeSteps.find((each) => (until - from) / each <= wanted) ?? timeSteps.at(-1)!
  const ticks: UnixSeconds[] = []
  const first = Math.ceil((from + zoneOffset(from)) / step) * step
  for (let wall = first; ticks.length < 50; wall += step) {
    const at = wall - zoneOffset(wall - zoneOffset(wall))
    if (at > until) return ticks
    if (at >= from) ticks.push(at)
  }
  return ticks
}

/** Of the lines of an axis across, those whose words have room beside each other, from the left. */
export function withRoom<T extends { readonly x: number; readonly word: string }>(
  lines: readonly T[],
): T[] {
  const kept: T[] = []
  let end = Number.NEGATIVE_INFINITY
  for (const line of lines) {
    const half = (line.word.length * letterWidth) / 2
    if (line.x - half < end + wordGap) continue
    kept.push(line)
    end = line.x + half
  }
  return kept
}

/** Of a digit or letter of `.chart-text`, in pixels, on the wide side. */
const letterWidth = 7.5
const wordGap = 3
