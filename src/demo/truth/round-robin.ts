import { OptionError, type UnixSeconds } from '../../model/index.js'
import { Scores } from '../../simulate/index.js'
import type { CopyMeter } from './copy-meter.js'

/**
 * A fixed schedule that keeps pace with a visitor: told of each request the
 * visitor makes, it makes one too, virtually, on its next page in turn. So it
 * has used as many requests at every moment, however long the run; pages that
 * are gone cost it nothing.
 */
export class RoundRobin {
  readonly #meters: readonly CopyMeter[]
  #next = 0

  constructor(meters: readonly CopyMeter[]) {
    if (meters.length === 0)
      throw new OptionError('no-pages', 'a round needs at least one page; give its address')
    this.#meters = meters
  }

  /** One request at a moment, not before the one that precedes it. */
  request({ at }: { readonly at: UnixSeconds }): void {
    for (let tried = 0; tried < this.#meters.length; tried++) {
      const meter = this.#meters[this.#next]!
      this.#next = (this.#next + 1) % this.#meters.length
      if (meter.goneAt < at) continue
      meter.visit({ at })
      return
    }
  }

  scores(options: { readonly until?: UnixSeconds } = {}): Scores {
    const scores = new Scores()
    for (const meter of this.#meters) scores.add(meter.scores(options))
    return scores
  }
}
