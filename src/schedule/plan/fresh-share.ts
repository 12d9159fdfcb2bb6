import { flatClock, twoPaceLaws as laws, type WeekClock, weekTime } from '../../numeric/index.js'
import { ownClock } from '../auto/own-clock.js'

const { changeRates, fast, slow } = laws
const paces = changeRates.length
const atPace = new Float64Array(paces)
/** By pace: seconds until the first change or the end of the gap, and the chance of a change in it. */
const calmTime = new Float64Array(paces)
const changed = new Float64Array(paces)
const usualPieces = 24

/** A stretch of time after a visit. */
export interface Stretch {
  /** When the copy was taken. */
  readonly at: number
  readonly gap: number
  /** Of the page's group. */
  readonly clock: WeekClock
  /** Pieces of the gap within which the clock of the week is taken to run evenly; 24 by default. */
  readonly pieces?: number
}

/**
 * Share of a gap in which a copy taken at its start stays fresh, by what is
 * believed of the page. On a clock of the week the gap is cut into pieces;
 * on the flat clock it is exact. O(laws + paces x pieces).
 */
export function freshShare(belief: Float64Array, stretch: Stretch): number {
  const { at, gap, clock: group, pieces = usualPieces } = stretch
  if (!(gap > 0)) return 1
  const clock = ownClock(group, belief)
  gatherPaces(belief)
  const count = clock === flatClock ? 1 : pieces
  const begun = weekTime(clock, at)
  let [from, total] = [0, 0]
  for (let piece = 1; piece <= count; piece++) {
    const to = weekTime(clock, at + (gap * piece) / count) - begun
    for (let pace = 0; pace < paces; pace++)
      if (atPace[pace]! > 1e-9) total += atPace[pace]! * calmShare(changeRates[pace]!, { from, to })
    from = to
  }
  return Math.min(1, Math.max(0, total / count))
}

/** What comes of visits made when a list tells of a change, or at the end of the gap where it tells of none. */
export interface ToldCycle {
  /** Share of the time in which the copy is fresh. */
  readonly fresh: number
  /** Mean time between two visits. */
  readonly length: number
}

/**
 * A copy that is renewed when a change is told, `delay` after it, or else at
 * the end of the gap. From visit to visit it is fresh until the first change,
 * which comes within the gap with some chance, and stale for the delay after
 * it; under each law the share is one expectation over the other (renewal
 * reward). For a Poisson page that is 1 / (1 + change rate x delay), whatever
 * the gap. O(laws + paces x pieces).
 */
export function toldCycle(
  belief: Float64Array,
  { delay, ...stretch }: Stretch & { readonly delay: number },
): ToldCycle {
  gatherCalm(stretch, ownClock(stretch.clock, belief))
  let [mass, fresh, length] = [0, 0, 0]
  for (let law = 0; law < laws.size; law++) {
    const quick = belief[2 * law]!
    const calm = belief[2 * law + 1]!
    if (!(quick + calm > 1e-9)) continue
    const freshTime = quick * calmTime[fast[law]!]! + calm * calmTime[slow[law]!]!
    const stale = delay * (quick * changed[fast[law]!]! + calm * changed[slow[law]!]!)
    mass += quick + calm
    fresh += ((quick + calm) * freshTime) / (freshTime + stale)
    length += freshTime + stale
  }
  if (!(mass > 0)) return { fresh: 1, length: stretch.gap }
  return { fresh: Math.min(1, fresh / mass), length: length / mass }
}

function gatherCalm({ at, gap, pieces = usualPieces }: Stretch, clock: WeekClock): void {
  const count = clock === flatClock ? 1 : pieces
  const begun = weekTime(clock, at)
  calmTime.fill(0)
  let from = 0
  for (let piece = 1; piece <= count; piece++) {
    const to = weekTime(clock, at + (gap * piece) / count) - begun
    for (let pace = 0; pace < paces; pace++)
      calmTime[pace]! += (gap / count) * calmShare(changeRates[pace]!, { from, to })
    from = to
  }
  for (let pace = 0; pace < paces; pace++) changed[pace] = -Math.expm1(-changeRates[pace]! * from)
}

/** Mean chance of no change yet between two times after the copy was taken. */
function calmShare(pace: number, { from, to }: { from: number; to: number }): number {
  const expected = pace * (to - from)
  const within = expected < 1e-9 ? 1 : -Math.expm1(-expected) / expected
  return Math.exp(-pace * from) * within
}

/** Masses by pace: all that the time to the next change depends on. */
function gatherPaces(belief: Float64Array): void {
  atPace.fill(0)
  for (let law = 0; law < laws.size; law++) {
    atPace[fast[law]!]! += belief[2 * law]!
    atPace[slow[law]!]! += belief[2 * law + 1]!
  }
}
