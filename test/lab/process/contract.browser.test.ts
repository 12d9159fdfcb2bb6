import { describe, expect, it } from 'vitest'
import { changePoint } from '../../../src/lab/process/change-point.js'
import {
  constantGaps,
  gammaGaps,
  hyperexponentialGaps,
  latticeGaps,
  paretoGaps,
  uniformGaps,
  weibullGaps,
} from '../../../src/lab/process/gap-laws.js'
import {
  hourOfWeek,
  powerLawTrend,
  workingWeek,
} from '../../../src/lab/process/inhomogeneous-poisson.js'
import { poisson } from '../../../src/lab/process/poisson.js'
import { replay } from '../../../src/lab/process/replay.js'
import { DAY, HOUR, WEEK } from '../../../src/model/units.js'
import { Random } from '../../../src/numeric/random.js'
import { gammaP, gammaQ, logGamma } from '../../../src/numeric/special-functions.js'
import { describeProcess } from '../../contracts/process.js'

// Closed forms by hand: F of the gaps, and G_U(x) = integral_0^x (1 - F) / mean.
const stationary = (period: number) => ({
  stationary: true,
  unit: period,
  changes: (length: number) => length / period,
})

const exponential = (x: number) => -Math.expm1(-x)
describeProcess(poisson({ period: DAY }), {
  ...stationary(DAY),
  from: 1.7e9,
  contentAge: (x) => exponential(x / DAY),
  gap: { mean: DAY, variance: DAY ** 2, below: (x) => exponential(x / DAY) },
  countVariance: (length) => length / DAY,
})

describeProcess(constantGaps({ period: HOUR }), {
  ...stationary(HOUR),
  contentAge: (x) => Math.min(1, x / HOUR),
  gap: { mean: HOUR, variance: 0 },
  // 0.3 periods hold a change with chance 0.3; 30 periods hold 30.
  countVariance: (length) => ((length / HOUR) % 1) * (1 - ((length / HOUR) % 1)),
})

describeProcess(uniformGaps({ shortest: 1, longest: 3 }), {
  ...stationary(2),
  contentAge: (x) => (x <= 1 ? x / 2 : x >= 3 ? 1 : 1 / 2 + ((x - 1) * (5 - x)) / 8),
  gap: { mean: 2, variance: 1 / 3, below: (x) => Math.min(1, Math.max(0, (x - 1) / 2)) },
})

// Li, Cline & Loguinov's example: alpha 3, beta 1, so G(x) = 1 - (1 + x)^-2 (shared oracles).
describeProcess(paretoGaps({ period: 0.5, shape: 3 }), {
  ...stationary(0.5),
  contentAge: (x) => 1 - (1 + x) ** -2,
  gap: { mean: 0.5, variance: null, below: (x) => 1 - (1 + x) ** -3 },
})

// Var = scale^2 a / ((a-1)^2 (a-2)) with scale = a - 1 = 5.
describeProcess(paretoGaps({ period: 1, shape: 6 }), {
  ...stationary(1),
  contentAge: (x) => 1 - (1 + x / 5) ** -5,
  gap: { mean: 1, variance: 6 / 4, below: (x) => 1 - (1 + x / 5) ** -6 },
})

// The mean content age is infinite; its law is not.
describeProcess(paretoGaps({ period: DAY, shape: 1.6 }), {
  ...stationary(DAY),
  contentAge: (x) => 1 - (1 + x / (0.6 * DAY)) ** -0.6,
  changes: (length) => length / DAY,
})

for (const shape of [0.5, 2]) {
  const scale = DAY / Math.exp(logGamma(1 + 1 / shape))
  const secondMoment = scale ** 2 * Math.exp(logGamma(1 + 2 / shape))
  describeProcess(weibullGaps({ period: DAY, shape }), {
    ...stationary(DAY),
    contentAge: (x) => gammaP(1 / shape, (x / scale) ** shape),
    gap: {
      mean: DAY,
      variance: secondMoment - DAY ** 2,
      below: (x) => exponential((x / scale) ** shape),
    },
  })
}

for (const shape of [0.4, 3]) {
  describeProcess(gammaGaps({ period: shape, shape }), {
    ...stationary(shape),
    contentAge: (x) => (x * gammaQ(shape, x)) / shape + gammaP(shape + 1, x),
    gap: { mean: shape, variance: shape, below: (x) => gammaP(shape, x) },
  })
}

// Mean 0.8 * 1 + 0.2 * 6 = 2; second moment 2 (0.8 * 1 + 0.2 * 36) = 16.
describeProcess(
  hyperexponentialGaps({
    phases: [
      { share: 4, period: 1 },
      { share: 1, period: 6 },
    ],
  }),
  {
    ...stationary(2),
    contentAge: (x) => 0.4 * exponential(x) + 0.6 * exponential(x / 6),
    gap: {
      mean: 2,
      variance: 12,
      below: (x) => 0.8 * exponential(x) + 0.2 * exponential(x / 6),
    },
  },
)

// Gaps of 1 or 3 steps alike: mean 2, variance 1.
describeProcess(latticeGaps({ step: 1, masses: [2, 0, 2] }), {
  ...stationary(2),
  contentAge: (x) => Math.min(x, 1) / 2 + Math.max(0, Math.min(x, 3) - 1) / 4,
  gap: { mean: 2, variance: 1 },
})

// On its clock the trend is Poisson: (t/eta)^beta expected by t, no change before birth.
describeProcess(powerLawTrend({ scale: DAY, shape: 0.7, origin: 0 }), {
  from: 4 * DAY,
  unit: DAY,
  contentAge: (x) => (x >= 4 * DAY ? 1 : exponential(4 ** 0.7 - (4 - x / DAY) ** 0.7)),
  residual: (x) => exponential((4 + x / DAY) ** 0.7 - 4 ** 0.7),
  changes: (length) => (4 + length / DAY) ** 0.7 - 4 ** 0.7,
  countVariance: (length) => (4 + length / DAY) ** 0.7 - 4 ** 0.7,
})

// From Monday 8:00 with every change within Monday's and Tuesday's 8 to 9: an
// hour's share is half a week's changes.
const monday = 4 * DAY + 8 * HOUR
const twoHours = Float64Array.from({ length: 168 }, (_, hour) =>
  hour === 8 || hour === 32 ? 7 : 0,
)
const perHour = WEEK / (2 * DAY)
const expectedBy = (x: number) => {
  const within = (start: number) => Math.min(HOUR, Math.max(0, x - start)) / HOUR
  return perHour * (within(0) + within(DAY) + within(WEEK) + within(WEEK + DAY))
}
describeProcess(hourOfWeek({ period: DAY, weights: twoHours }), {
  from: monday,
  unit: HOUR,
  contentAge: (x) => {
    const within = (start: number) => Math.min(HOUR, Math.max(0, x - start)) / HOUR
    const back = [6 * DAY - HOUR, WEEK - HOUR, 13 * DAY - HOUR, 2 * WEEK - HOUR]
    return exponential(perHour * back.reduce((sum, start) => sum + within(start), 0))
  },
  residual: (x) => exponential(expectedBy(x)),
  changes: expectedBy,
  countVariance: expectedBy,
})

// Flat weights are the plain Poisson process.
describeProcess(hourOfWeek({ period: HOUR, weights: new Float64Array(168).fill(3) }), {
  ...stationary(HOUR),
  from: 1.7e9 + 1234.5,
  contentAge: (x) => exponential(x / HOUR),
  gap: { mean: HOUR, variance: HOUR ** 2, below: (x) => exponential(x / HOUR) },
  countVariance: (length) => length / HOUR,
})

// Rate 1 for 2 units, then rate 5.
describeProcess(
  changePoint({ before: poisson({ period: 1 }), after: poisson({ period: 0.2 }), at: 2 }),
  {
    unit: 1,
    contentAge: exponential,
    residual: (x) => exponential(x <= 2 ? x : 2 + 5 * (x - 2)),
    changes: (length) => Math.min(length, 2) + 5 * Math.max(0, length - 2),
    countVariance: (length) => Math.min(length, 2) + 5 * Math.max(0, length - 2),
  },
)

describeProcess(replay({ times: Float64Array.of(0, 1, 2.5, 3, 7, 40), end: 50 }), {
  unit: 1,
  end: 50,
  contentAge: null,
  changes: (length) => [1, 2.5, 3, 7, 40].filter((at) => at <= length).length,
})

describe('a working week', () => {
  it('rests at night and at weekends', () => {
    const process = hourOfWeek({
      period: HOUR,
      weights: workingWeek({ opens: 9, closes: 17, rest: 0, weekend: 0 }),
    })
    const timeline = process.timeline({ from: 1.7e9, random: new Random(41) })
    for (let at = 1.7e9; at < 1.7e9 + 4 * WEEK; at += 600) {
      if (!timeline.advance(at)) continue
      for (const change of [timeline.firstChange, timeline.lastChange]) {
        const date = new Date(change * 1000)
        expect(date.getUTCDay() % 6).not.toBe(0)
        expect(date.getUTCHours()).toBeGreaterThanOrEqual(9)
        expect(date.getUTCHours()).toBeLessThan(17)
      }
    }
  })
})
