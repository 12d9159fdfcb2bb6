import { OptionError, type Seconds } from '../../model/index.js'
import type { TrendCurve } from './trend-curve.js'
import type { WindowState } from './window-rule.js'

export interface WaitOptions {
  /**
   * Share of the mean time to wait in a window whose change rate is falling,
   * above 0 and up to 1: growing gaps are foreseen too long when the fall
   * ends. Default 0.7, the paper's; 1 sets no bound.
   */
  readonly alpha?: number
  /**
   * What follows a premature visit, which the paper leaves open: wait by the
   * curve as it stands at that visit (default), or as long as after the update.
   */
  readonly afterPremature?: 'wait-by-curve' | 'same-wait'
}

/** How long to wait for the next update, by the curve of the latest window. */
export class WaitRule {
  readonly #alpha: number
  readonly #sameWait: boolean

  constructor({ alpha = 0.7, afterPremature = 'wait-by-curve' }: WaitOptions) {
    if (!(alpha > 0 && alpha <= 1))
      throw new OptionError('bad-alpha', 'alpha must lie above 0 and up to 1, such as 0.7')
    this.#alpha = alpha
    this.#sameWait = afterPremature === 'same-wait'
  }

  /** The bound on the wait: 1 unless the change rate is falling. */
  alphaIn(state: WindowState): number {
    return state === 'decreasing' ? this.#alpha : 1
  }

  /** The mean time to wait, before alpha: `last` update, `from` the last visit, since the origin. */
  mtbu(
    curve: Pick<TrendCurve, 'mtbu'>,
    { last, from }: { last: Seconds; from: Seconds },
  ): Seconds | null {
    return curve.mtbu(this.#sameWait ? last : from)
  }
}
