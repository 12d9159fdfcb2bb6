import { DAY, HOUR, MINUTE, type Seconds, type UnixSeconds } from '../../model/index.js'

/** How often programs are run that write down what they find, longest first. */
const usual: readonly Seconds[] = [
  DAY,
  12 * HOUR,
  8 * HOUR,
  6 * HOUR,
  4 * HOUR,
  3 * HOUR,
  2 * HOUR,
  HOUR,
  30 * MINUTE,
  20 * MINUTE,
  15 * MINUTE,
  10 * MINUTE,
  5 * MINUTE,
]
/** Runs are late by a while, but not by any while. */
const widest = 2 * HOUR
/** Share of the times that must lie on the grid. */
const most = 0.75
/** A grid is known by so many of its steps, and may shift after about so many times. */
const fewestSteps = 20
const stretchSize = 100

/**
 * How often somebody polled who wrote down these times (ascending), if they lie
 * on a regular grid; else 0: they are the changes' own. On a grid of period P
 * are those times that fall into the same quarter of P, or the same two hours
 * where that is less, which may lie anywhere in P and is found anew for each
 * stretch of about 100 times, since schedules are moved. Three times in four
 * must be on it, and a stretch counts if it has 20 steps of the grid or more.
 * Of a scheduler's 5 minutes to a day, the longest period that passes is taken.
 * Times at random pass with 0.35. O(periods x times log times).
 */
export function pollCadence(times: readonly UnixSeconds[]): Seconds {
  if (times.length < fewestSteps) return 0
  return usual.find((period) => onGrid(times, period) >= most * times.length) ?? 0
}

function onGrid(times: readonly UnixSeconds[], period: Seconds): number {
  const stretches = Math.max(1, Math.round(times.length / stretchSize))
  let count = 0
  for (let i = 0; i < stretches; i++) {
    const from = Math.floor((i * times.length) / stretches)
    const to = Math.floor(((i + 1) * times.length) / stretches)
    const some = times.slice(from, to)
    const steps = new Set(some.map((at) => Math.floor(at / period)))
    if (steps.size >= fewestSteps) count += inBestWindow(some, period)
  }
  return count
}

/** The most times whose phases lie in one window, around the end of the period too. */
function inBestWindow(times: readonly UnixSeconds[], period: Seconds): number {
  const window = Math.min(period / 4, widest)
  const phases = times.map((at) => at % period).sort((a, b) => a - b)
  const size = phases.length
  let [best, next] = [0, 0]
  for (let first = 0; first < size; first++) {
    const end = phases[first]! + window
    while (next < first + size && unwound(phases, { next, period }) <= end) next++
    best = Math.max(best, next - first)
  }
  return best
}

function unwound(
  phases: readonly number[],
  { next, period }: { next: number; period: Seconds },
): number {
  return next < phases.length ? phases[next]! : phases[next - phases.length]! + period
}
