import { type EmpiricalRates, empiricalRates } from '../estimators/prior/fitted-rates.js'
import { gridPrior, periodQuantile } from '../estimators/prior/grid-prior.js'
import {
  type PriorForm,
  parsePriorChoice,
  pseudoGapWords,
  type RatePrior,
} from '../estimators/prior/rate-prior.js'
import type { PseudoGaps } from '../estimators/rate/irregular-mle.js'
import { humanDuration } from '../model/duration.js'
import { OptionError } from '../model/errors.js'
import { given } from '../model/given.js'
import type { History } from '../model/history.js'
import { shippedRates } from '../planner/prior/shipped-rates.js'
import type { FlagsOf, OptionLine } from './command.js'
import type { Environment } from './environment.js'
import { count } from './text/numbers.js'

/** The options of commands that take a prior: where `fitted` is stored, and what `empirical` counts. */
export const priorOptions = [
  [
    '--changes <count>',
    'with --prior empirical: a page counts once so many changes were seen (default: 25)',
    count(1),
  ],
  ['--database <file>', 'with --prior fitted: the store (default: revisit.db)'],
  ['--collection <name>', 'with --prior fitted: the collection (default: default)'],
  ['--config <file>', 'with --prior fitted: the configuration file'],
] as const satisfies readonly OptionLine[]

type PriorFlags = FlagsOf<typeof priorOptions> & { readonly prior?: string }

/** What --prior asks for: what is stored, the law of a log, or two pseudo-gaps. */
export type AskedPrior = 'fitted' | 'empirical' | PseudoGaps

/** What --prior asks for; undefined where it was not given. */
export function priorAsked({ prior, changes }: PriorFlags): AskedPrior | undefined {
  const asked = prior?.trim()
  if (changes !== undefined && asked !== 'empirical')
    throw new OptionError('options-conflict', '--changes goes with --prior empirical')
  if (asked === undefined || asked === 'empirical') return asked
  const choice = parsePriorChoice(asked)
  if (choice !== 'none') return choice
  throw new OptionError('bad-prior', 'for no prior leave --prior out')
}

/** A prior with words for a person. */
export interface FoundPrior {
  readonly prior: PriorForm
  readonly words: string
}

/** Two pseudo-gaps given by hand. */
export function givenPrior(pseudoGaps: PseudoGaps): FoundPrior {
  const prior = { kind: 'pseudo-gaps', pseudoGaps } as const
  return { prior, words: `two pseudo-gaps as given, ${pseudoGapWords(pseudoGaps)}` }
}

/** The prior that `revisit prior fit` stored; the shipped one, and so it says, where there is none. */
export async function fittedPriorIn(
  environment: Environment,
  flags: PriorFlags,
): Promise<FoundPrior> {
  const stored = await storedPriorIn(environment, flags)
  const prior = stored ?? shippedRates
  const fallback = stored === null ? ' (nothing was fitted here yet: revisit prior fit)' : ''
  return { prior, words: `pages like ${prior.from}: ${formWords(prior)}${fallback}` }
}

async function storedPriorIn(
  environment: Environment,
  { database, collection, config }: PriorFlags,
): Promise<RatePrior | null> {
  // Loaded when asked for: other priors need no database.
  const { configured, withStore } = await import('./configured.js')
  const { storedFitted } = await import('../crawler/page-planners.js')
  const made = await configured(environment, given({ database, collection, config }))
  const isAddress = made.config.database.includes('://')
  if (!isAddress && !made.crawler.exists(made.config.database)) return null
  const fitted = await withStore(made, (store) => storedFitted(store, made.config), {
    readOnly: true,
  })
  return fitted.ratePrior ?? null
}

/** The law of the change periods of a log's own pages. */
export function empiricalPriorOf(
  histories: Iterable<History>,
  { changes = 25 }: PriorFlags,
): FoundPrior & { readonly found: EmpiricalRates } {
  const found = empiricalRates(histories, { changes })
  const prior = { kind: 'law', law: found.law } as const
  const words = `the law of ${found.pages} pages of this log with ${changes} changes or more (${found.unfinished} had fewer): ${formWords(prior)}`
  return { prior, words, found }
}

function formWords(prior: PriorForm): string {
  if (prior.kind === 'pseudo-gaps') return `two pseudo-gaps, ${pseudoGapWords(prior.pseudoGaps)}`
  const { periods, masses } = prior.law
  const middle = periodQuantile(gridPrior(periods, masses), 0.5)
  return `half change more often than every ${humanDuration(middle)}`
}
