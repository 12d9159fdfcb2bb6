import { trendEstimator } from '../../../estimators/trend/trend-estimators.js'
import type { TrendOptions } from '../../../estimators/trend/trend-of.js'
import { readThreshold, type WindowOptions } from '../../../estimators/trend/window-rule.js'
import { stateRules } from '../../../estimators/trend/window-state.js'
import { OptionError } from '../../../model/errors.js'
import { oneOf } from '../../text/one-of.js'

/** The options that belong to `--trend`. */
export const trendOptions = [
  [
    '--trend',
    'whether the page changes faster or slower than it did, and when next (Singh); with --compare by every estimator',
  ],
  [
    '--estimator <name>',
    'with --trend: the estimator of the change rate, named below (default: weibull)',
  ],
  [
    '--threshold <limit>',
    'with --trend: how far an update may stray and still belong to its window, in mean gaps (3) or as a duration (3d) (default: 3 mean gaps)',
  ],
  [
    '--direction <way>',
    'with --trend: windows are cut forward from the first updates, or backward from the last (default: forward)',
  ],
  [
    '--alpha <share>',
    'with --trend: share of the mean time to wait where changes get slower, above 0 and up to 1 (default: 0.7)',
  ],
  [
    '--state <rule>',
    'with --trend: whether changes get slower or faster goes by the fit where it is significant (fit), or by the first three gaps alone (paper) (default: fit)',
  ],
] as const

interface TrendFlags {
  readonly trend?: boolean
  readonly estimator?: string
  readonly threshold?: string
  readonly direction?: string
  readonly alpha?: string
  readonly state?: string
}

const own = ['estimator', 'threshold', 'direction', 'alpha', 'state'] as const
const directions = ['forward', 'backward'] as const

/** What `--trend` was asked for, checked. */
export function trendChoice(
  flags: TrendFlags,
  { level }: { readonly level: number },
): TrendOptions {
  const given = own.find((name) => flags[name] !== undefined)
  if (given !== undefined && flags.trend !== true)
    throw new OptionError('options-conflict', `--${given} needs --trend`)
  const { estimator, threshold, alpha } = flags
  const direction = oneOf(directions, flags.direction, '--direction')
  const windows: WindowOptions = {
    ...(threshold === undefined ? {} : { threshold: readThreshold(threshold) }),
    ...(direction === undefined ? {} : { direction }),
  }
  return {
    ...(estimator === undefined ? {} : { estimator: trendEstimator(estimator) }),
    windows,
    predict: { level, ...(alpha === undefined ? {} : { alpha: alphaOf(alpha) }) },
    state: oneOf(stateRules, flags.state, '--state') ?? 'fit',
  }
}

function alphaOf(text: string): number {
  const alpha = text.trim() === '' ? Number.NaN : Number(text)
  if (alpha > 0 && alpha <= 1) return alpha
  throw new OptionError('bad-alpha', `--alpha takes a share above 0 and up to 1; got "${text}"`)
}
