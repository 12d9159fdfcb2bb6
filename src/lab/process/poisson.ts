import { humanPeriod } from '../../model/duration.js'
import type { RandomSource, Seconds, UnixSeconds } from '../../model/units.js'
import { poissonCount } from '../../numeric/random.js'
import type { ChangeProcess, Timeline } from './change-process.js'
import { checkPeriod } from './parameters.js'

/**
 * Changes without memory: exponential gaps, the model of most of the papers.
 *
 * A stretch is not walked change by change. The time to the next change is
 * drawn once and waits; the stretch that reaches it also draws how long before
 * its end the last change was (the same law, looking back), how many changes
 * lie between the two, and the next change after its end. So an advance costs
 * a comparison if nothing changed, and at most four draws however much did.
 * Its equilibrium is the process itself: content age and residual are
 * independent exponentials.
 */
export function poisson({ period }: { readonly period: Seconds }): ChangeProcess {
  checkPeriod({ process: 'poisson', name: 'period', value: period })
  return {
    name: 'poisson',
    summary: `changes at random, ${humanPeriod(period)} on average`,
    changePeriod: period,
    timeline: ({ from, random }) => new PoissonTimeline({ from, random, period }),
  }
}

class PoissonTimeline implements Timeline {
  lastChange: UnixSeconds
  firstChange: UnixSeconds = Infinity
  changes = 0
  readonly #period: Seconds
  readonly #random: RandomSource
  #next: UnixSeconds

  constructor({
    from,
    random,
    period,
  }: { readonly from: UnixSeconds; readonly random: RandomSource; readonly period: Seconds }) {
    this.#period = period
    this.#random = random
    this.lastChange = from - period * random.exponential()
    this.#next = from + period * random.exponential()
  }

  advance(to: UnixSeconds): boolean {
    if (this.#next <= to) return this.#leap(to)
    this.firstChange = Infinity
    this.changes = 0
    return false
  }

  /** The count is drawn whether or not anybody reads it, so that reading moves no later draw. */
  #leap(to: UnixSeconds): true {
    const first = this.#next
    const period = this.#period
    const random = this.#random
    const last = to - period * random.exponential()
    this.firstChange = first
    if (last > first) {
      this.lastChange = last
      this.changes = 2 + poissonCount(random, (last - first) / period)
    } else {
      this.lastChange = first
      this.changes = 1
    }
    this.#next = to + period * random.exponential()
    return true
  }
}
