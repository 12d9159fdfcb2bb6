import { HOUR } from '../../model/units.js'
import { gammaQ, normalQuantile } from '../../numeric/special-functions.js'
import { symmetricInverse } from '../../numeric/symmetric-inverse.js'
import type { WeekClock } from '../../numeric/week-clock.js'
import { type GapLog, overDispersion } from './fit-clock.js'

/** A weekday's speed beside another clock's, 1 where it is the same, with its bounds. */
export interface SpeedBounds {
  readonly speed: number
  readonly low: number
  readonly high: number
}

/** What gaps tell of the hours in which pages change, beside a clock that is assumed. */
export interface ClockEvidence {
  /** Gaps that tell anything of hours. */
  readonly gaps: number
  /** Thursday first; bounds hold for all seven together. Empty where the gaps do not tell weekdays apart. */
  readonly weekdays: readonly SpeedBounds[]
  /** The level of those bounds. */
  readonly level: number
  /** Chance of weekdays, and of hours, as far from the clock as these where pages do follow it; 1 where nothing tells. */
  readonly weekdayChance: number
  readonly hourChance: number
}

/** Bounds of seven weekdays that hold together in so many of a hundred cases. */
const level = 0.95
/** A rhythm that comes about by chance more often than this is none. */
const byChance = 0.01

/** Whether the weekdays, or the hours, are surely others than the clock's. */
export function isOther(chance: number): boolean {
  return chance < byChance
}

/**
 * Whether gaps agree with a clock, by the score test of each weekday's and each
 * hour's speed, the level of all changes left open (Rao 1948). A changed gap is
 * known to hold a change somewhere in it, so what it tells of each day is the
 * information of 1 - e^-x, not a count. Changes that come together count less, see
 * `overDispersion`. O(hours of all gaps).
 */
export function clockEvidence(logs: readonly GapLog[], clock: WeekClock): ClockEvidence {
  const days = new SpeedScore(7)
  const hours = new SpeedScore(24)
  let gaps = 0
  for (const log of logs) {
    const weight = 1 / overDispersion(log)
    gaps += log.size
    const { columns } = log
    for (let row = 0; row < columns.length; row += 4) {
      const [from, to] = [columns[row]!, columns[row + 1]!]
      const seen = { changed: columns[row + 2] === 1, expected: columns[row + 3]!, weight }
      layOver({ from, to, clock }, (hour, mass) => {
        days.add(Math.floor(hour / 24), mass)
        hours.add(hour % 24, mass)
      })
      days.see(seen)
      hours.see(seen)
    }
  }
  const weekdays = days.bounds(normalQuantile(1 - (1 - level) / 2 / 7))
  return { gaps, weekdays, level, weekdayChance: days.chance(), hourChance: hours.chance() }
}

/** Clock seconds of a stretch of time in each hour of the week that it touches. */
function layOver(
  { from, to, clock }: { from: number; to: number; clock: WeekClock },
  each: (hourOfWeek: number, mass: number) => void,
): void {
  for (let hour = Math.floor(from / HOUR); hour * HOUR < to; hour++) {
    const [begin, end] = [Math.max(from, hour * HOUR), Math.min(to, (hour + 1) * HOUR)]
    const ofWeek = ((hour % 168) + 168) % 168
    each(ofWeek, (end - begin) * clock.speeds[ofWeek]!)
  }
}

/** Score and information of speeds that multiply a clock's, at 1 each. */
class SpeedScore {
  readonly #size: number
  readonly #masses: Float64Array
  readonly #score: Float64Array
  readonly #information: Float64Array

  constructor(size: number) {
    this.#size = size
    this.#masses = new Float64Array(size)
    this.#score = new Float64Array(size)
    this.#information = new Float64Array(size * size)
  }

  /** Clock seconds of the gap at hand that lie in a part. */
  add(part: number, mass: number): void {
    this.#masses[part]! += mass
  }

  /** The gap at hand, with the changes that were expected in it. */
  see(seen: { changed: boolean; expected: number; weight: number }): void {
    const { changed, expected, weight } = seen
    const masses = this.#masses
    const total = masses.reduce((a, b) => a + b, 0)
    const pull = 1 / Math.expm1(expected)
    const score = weight * (changed ? pull : -1)
    for (let part = 0; part < this.#size; part++) {
      if (masses[part] === 0) continue
      const own = (expected * masses[part]!) / total
      this.#score[part]! += score * own
      for (let other = 0; other < this.#size; other++)
        this.#information[part * this.#size + other]! +=
          weight * pull * own * ((expected * masses[other]!) / total)
    }
    masses.fill(0)
  }

  /** Chance of a score as far from none, the level of all left open: chi-square with one freedom less than there are speeds. */
  chance(): number {
    const inverse = symmetricInverse(this.#information, this.#size)
    if (inverse === null) return 1
    let [all, whole, level] = [0, 0, 0]
    for (let row = 0; row < this.#size; row++) {
      level += this.#score[row]!
      for (let column = 0; column < this.#size; column++) {
        const at = row * this.#size + column
        all += this.#score[row]! * inverse[at]! * this.#score[column]!
        whole += this.#information[at]!
      }
    }
    return gammaQ((this.#size - 1) / 2, Math.max(0, all - level ** 2 / whole) / 2)
  }

  /** Each speed over their mean, one step from the clock's own, with `spread` standard deviations to either side. */
  bounds(spread: number): SpeedBounds[] {
    const size = this.#size
    const inverse = symmetricInverse(this.#information, size)
    if (inverse === null) return []
    const steps = Array.from({ length: size }, (_, row) =>
      this.#score.reduce((sum, each, column) => sum + inverse[row * size + column]! * each, 0),
    )
    const mean = steps.reduce((a, b) => a + b, 0) / size
    const rows = Array.from({ length: size }, (_, row) =>
      inverse.subarray(row * size, row * size + size).reduce((a, b) => a + b, 0),
    )
    const all = rows.reduce((a, b) => a + b, 0) / size ** 2
    return steps.map((each, part) => {
      const variance = inverse[part * size + part]! - (2 * rows[part]!) / size + all
      const speed = Math.max(0, 1 + each - mean)
      const off = spread * Math.sqrt(Math.max(0, variance))
      return { speed, low: Math.max(0, speed - off), high: speed + off }
    })
  }
}
