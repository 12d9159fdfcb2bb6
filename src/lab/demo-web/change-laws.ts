import { humanDuration, humanPeriod } from '../../model/duration.js'
import { DAY, HOUR, type Seconds, type UnixSeconds, WEEK } from '../../model/units.js'
import { changePoint } from '../process/change-point.js'
import type { ChangeProcess } from '../process/change-process.js'
import {
  constantGaps,
  hyperexponentialGaps,
  latticeGaps,
  weibullGaps,
} from '../process/gap-laws.js'
import { hourOfWeek, powerLawTrend, workingWeek } from '../process/inhomogeneous-poisson.js'
import { poisson } from '../process/poisson.js'

/** The ways in which pages of the demo change. */
export const lawKinds = {
  steady: 'at random, alike at all times (Poisson)',
  bursty: 'many changes in short order, then long without a change',
  daily: 'at the same hour of the day',
  'working-hours': 'mostly while people work',
  trending: 'ever faster or ever slower, or otherwise from some day on',
  rarely: 'almost never',
} as const
export type LawKind = keyof typeof lawKinds

/** How one page changes, and what is true of it at a moment. */
export interface Law {
  readonly kind: LawKind
  readonly words: string
  readonly process: ChangeProcess
  /** Strides in which its timeline is walked: hardly ever three changes in one. */
  readonly grain: Seconds
  /** Mean time between changes as things stand at a moment. */
  changePeriodAt(at: UnixSeconds): Seconds
}

interface LawOptions {
  readonly kind: LawKind
  readonly period: Seconds
  /** When the demo began. */
  readonly origin: UnixSeconds
  /** Chooses among the variants of a kind: 0, 1, 2, ... */
  readonly variant: number
}

/** The law of a kind; the daily kind has periods of its own. */
export function lawOf(options: LawOptions): Law {
  return { kind: options.kind, ...laws[options.kind](options) }
}

type Described = Omit<Law, 'kind'>

const laws: Readonly<Record<LawKind, (options: LawOptions) => Described>> = {
  steady: ({ period }) => lasting(poisson({ period }), { finest: period }),
  rarely: ({ period }) => lasting(poisson({ period }), { finest: period }),
  bursty: ({ period, variant }) =>
    variant % 2 === 0
      ? lasting(weibullGaps({ period, shape: 0.6 }), { finest: period / 4 })
      : lasting(bursts(period), { finest: period / 20 }),
  daily: ({ variant }) => lasting(daily[variant % daily.length]!, { finest: DAY }),
  'working-hours': ({ period }) =>
    lasting(hourOfWeek({ period, weights: workingWeek() }), { finest: Math.min(period, 8 * HOUR) }),
  trending: ({ variant, ...rest }) =>
    variant % 3 === 2
      ? handedOver({ ...rest, variant })
      : trend({ ...rest, shape: [1.5, 0.6][variant % 3]! }),
}

function lasting(process: ChangeProcess, { finest }: { readonly finest: Seconds }): Described {
  const { changePeriod, summary } = process
  return { words: summary, process, grain: finest / 100, changePeriodAt: () => changePeriod }
}

/** Four of five gaps are a tenth of the mean, the fifth is 4.6 times it. */
function bursts(period: Seconds): ChangeProcess {
  const phases = [
    { share: 0.8, period: period * 0.1 },
    { share: 0.2, period: period * 4.6 },
  ]
  return hyperexponentialGaps({ phases })
}

const daily: readonly ChangeProcess[] = [
  constantGaps({ period: DAY }),
  latticeGaps({ step: DAY, masses: [7, 2, 1] }),
  constantGaps({ period: DAY }),
  constantGaps({ period: WEEK }),
]

/** How long a trending page had lived when the demo began. */
const life: Seconds = 30 * DAY

/**
 * A power law whose period is the given one when the demo begins. From
 * 1 / period = (shape/scale) (life/scale)^(shape - 1), solved for the scale.
 */
function trend({
  period,
  origin,
  shape,
}: {
  readonly period: Seconds
  readonly origin: UnixSeconds
  readonly shape: number
}): Described {
  const born = origin - life
  const scale = (shape * life ** (shape - 1) * period) ** (1 / shape)
  const words = `Poisson changes, ever ${shape > 1 ? 'faster' : 'slower'}, ${humanPeriod(period)} at first`
  return {
    words,
    process: powerLawTrend({ scale, shape, origin: born }),
    grain: period / 100,
    changePeriodAt: (at) => period * ((at - born) / life) ** (1 - shape),
  }
}

/** A page that changes hands after three to nine days, and is then edited six times as often. */
function handedOver({ period, origin, variant }: LawOptions): Described {
  const at = (3 + (variant % 7)) * DAY
  const after = poisson({ period: period / 6 })
  return {
    words: `Poisson changes, ${humanPeriod(period)}; after ${humanDuration(at)} ${humanPeriod(period / 6)}`,
    process: changePoint({ before: poisson({ period }), after, at, origin }),
    grain: period / 600,
    changePeriodAt: (now) => (now < origin + at ? period : period / 6),
  }
}
