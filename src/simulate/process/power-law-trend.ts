import {
  type ChangeProcess,
  humanDuration,
  type Seconds,
  type UnixSeconds,
} from '../../model/index.js'
import { type ChangeClock, ClockedPoissonTimeline } from './clocked-poisson.js'
import { checkParameter, checkPeriod } from './parameter.js'

export interface PowerLawTrendOptions {
  /** From the page's birth to its first change: one is expected by then. Singh's eta. */
  readonly scale: Seconds
  /** Below 1 the page calms down, above 1 it quickens. Singh's beta. */
  readonly shape: number
  /** When the page was born; where each timeline starts, unless said. */
  readonly origin?: UnixSeconds
}

/**
 * Poisson changes whose rate follows a power of the time t since the page's
 * birth: (shape/scale) (t/scale)^(shape - 1), so (t/scale)^shape changes by t.
 *
 * There is no equilibrium: a page is born at its origin, which stands for its
 * last change until the first, and a timeline that starts later finds the
 * content age that such a page then has. There is no long-run period either;
 * `changePeriod` is the scale, which it is at shape 1.
 *
 * Singh 2007 (Crow's Weibull process).
 */
export function powerLawTrend({ scale, shape, origin }: PowerLawTrendOptions): ChangeProcess {
  const process = 'power-law-trend'
  checkPeriod({ process, name: 'scale', value: scale })
  checkParameter({
    process,
    name: 'shape',
    value: shape,
    possible: shape >= 0.01 && shape <= 10,
    why: 'it must lie between 0.01 (calms down at once) and 10 (billions of changes within ten scales)',
  })
  const direction = shape === 1 ? 'steady' : shape < 1 ? 'ever slower' : 'ever faster'
  return {
    name: process,
    summary: `Poisson changes, ${direction} (power ${shape}), the first after about ${humanDuration(scale)}`,
    changePeriod: scale,
    timeline: ({ from, random }) =>
      new ClockedPoissonTimeline({
        from,
        random,
        clock: powerClock({ scale, shape, origin: origin ?? from }),
      }),
  }
}

function powerClock({ scale, shape, origin }: Required<PowerLawTrendOptions>): ChangeClock {
  return {
    firstExpected: 0,
    expected: (at) => (at > origin ? ((at - origin) / scale) ** shape : 0),
    time: (expected) => origin + scale * expected ** (1 / shape),
  }
}
