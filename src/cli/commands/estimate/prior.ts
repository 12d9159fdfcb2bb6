import { lawOfPrior, pseudoGapsOf } from '../../../estimators/prior/fitted-rates.js'
import type { PriorForm } from '../../../estimators/prior/rate-prior.js'
import { irregularMleWith } from '../../../estimators/rate/irregular-mle.js'
import { posteriorWith } from '../../../estimators/rate/posterior.js'
import { OptionError } from '../../../model/errors.js'
import type { Estimator } from '../../../model/estimate.js'
import type { History } from '../../../model/history.js'
import {
  empiricalPriorOf,
  type FoundPrior,
  fittedPriorIn,
  givenPrior,
  priorAsked,
} from '../../asked-prior.js'
import type { Environment } from '../../environment.js'
import type { EstimateFlags, EstimateSettings } from './options.js'

/** Estimators that begin from a prior: Grimes & Ford 4.4 and 4.3. */
const beginning: Readonly<Record<string, (prior: PriorForm) => Estimator>> = {
  'irregular-mle': (prior) => irregularMleWith({ pseudoGaps: pseudoGapsOf(prior) }),
  posterior: (prior) => posteriorWith({ prior: lawOfPrior(prior) }),
}

/** The settings with the estimator that --prior asks for; as they are where it was not given. */
export async function settingsWithPrior(
  environment: Environment,
  { settings, flags }: { readonly settings: EstimateSettings; readonly flags: EstimateFlags },
): Promise<EstimateSettings> {
  const asked = priorAsked(flags)
  if (asked === undefined) return settings
  const { name } = settings.estimators[0]!
  const make = beginning[name]
  if (settings.compare || make === undefined)
    throw new OptionError(
      'options-conflict',
      `--prior goes with --method ${Object.keys(beginning).join(' or ')}, not with ${settings.compare ? '--compare' : name}`,
    )
  const made = (found: FoundPrior) => {
    environment.err.write(`revisit: prior: ${found.words}\n`)
    return make(found.prior)
  }
  if (asked === 'empirical')
    return afterReading(settings, (pages) => made(empiricalPriorOf(pages, flags)))
  const found = asked === 'fitted' ? await fittedPriorIn(environment, flags) : givenPrior(asked)
  const pseudoGaps = name === 'irregular-mle' ? pseudoGapsOf(found.prior) : undefined
  return { ...settings, estimators: [made(found)], pseudoGaps }
}

/** The law of a log is known once the log is read: until then the estimator is a place for it. */
function afterReading(
  settings: EstimateSettings,
  make: (histories: Iterable<History>) => Estimator,
): EstimateSettings {
  if (settings.sorted)
    throw new OptionError(
      'options-conflict',
      '--prior empirical needs the whole log before the first estimate; leave --sorted out',
    )
  let made = settings.estimators[0]!
  const { summary, needsContentAge, name } = made
  const place: Estimator = {
    name: `${name}-with-prior`,
    summary,
    needsContentAge,
    estimate: (history, options) => made.estimate(history, options),
  }
  return {
    ...settings,
    estimators: [place],
    fitPrior(histories) {
      made = make(histories)
    },
  }
}
