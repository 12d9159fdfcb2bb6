import { trendEstimator } from '../../../estimators/trend/trend-estimators.js'
import type { TrendOptions } from '../../../estimators/trend/trend-of.js'
import { readThreshold } from '../../../estimators/trend/window-rule.js'
import { stateRules } from '../../../estimators/trend/window-state.js'
import { OptionError } from '../../../model/errors.js'
import { given } from '../../../model/given.js'
import type { FlagsOf, OptionLine } from '../../command.js'
import { oneOf } from '../../text/numbers.js'

/** The options that belong to `--trend`. */
export const trendOptions = [
  [
    '--trend',
    'whether the page changes faster or slower than it did, and when next (Singh); with --compare by every estimator',
  ],
  [
    '--estimator <name>',
    'with --trend: the estimator of the change rate, named below (default: weibull)',
    trendEstimator,
  ],
  [
    '--threshold <limit>',
    'with --trend: how far an update may stray and still belong to its window, in mean gaps (3) or as a duration (3d) (default: 3 mean gaps)',
    readThreshold,
  ],
  [
    '--direction <way>',
    'with --trend: windows are cut forward from the first updates, or backward from the last (default: forward)',
    oneOf('forward', 'backward'),
  ],
  [
    '--alpha <share>',
    'with --trend: share of the mean time to wait where changes get slower, above 0 and up to 1 (default: 0.7)',
    alphaOf,
  ],
  [
    '--state <rule>',
    'with --trend: whether changes get slower or faster goes by the fit where it is significant (fit), or by the first three gaps alone (paper) (default: fit)',
    oneOf(...stateRules),
  ],
] as const satisfies readonly OptionLine[]

const own = ['estimator', 'threshold', 'direction', 'alpha', 'state'] as const

/** What `--trend` was asked for, checked. */
export function trendChoice(
  flags: FlagsOf<typeof trendOptions>,
  { level }: { readonly level: number },
): TrendOptions {
  const alone = own.find((name) => flags[name] !== undefined)
  if (alone !== undefined && flags.trend !== true)
    throw new OptionError('options-conflict', `--${alone} needs --trend`)
  const { estimator, threshold, direction, alpha, state = 'fit' } = flags
  return {
    ...given({ estimator }),
    windows: given({ threshold, direction }),
    predict: { level, ...given({ alpha }) },
    state,
  }
}

function alphaOf(text: string): number {
  const alpha = text.trim() === '' ? Number.NaN : Number(text)
  if (alpha > 0 && alpha <= 1) return alpha
  throw new OptionError('bad-alpha', `--alpha takes a share above 0 and up to 1; got "${text}"`)
}
