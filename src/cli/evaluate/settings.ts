import { DAY, OptionError, type Seconds } from '../../model/index.js'
import {
  type Contender,
  contenders,
  listing1Contender,
  otherObjectives,
} from '../../simulate/index.js'
import { parseCount } from '../text/parse-count.js'

/** What commander hands over. */
export interface EvaluateFlags {
  readonly histories?: string
  readonly objects?: string
  readonly budget?: string
  readonly days?: string
  readonly seed?: string
  readonly policies?: string
  /** Files of the user's own. */
  readonly policy?: readonly string[]
  readonly bySource?: string
  readonly scores?: string
  readonly lastModified?: boolean
  readonly json?: boolean
  readonly html?: string
  readonly yes?: boolean
  /** Replays what the store recorded. */
  readonly own?: boolean
  readonly database?: string
  readonly collection?: string
  readonly config?: string
}

export interface EvaluateSettings {
  /** Undefined: the store's own visits. */
  readonly histories: string | undefined
  readonly objects: string | undefined
  /** Visits a page and day. */
  readonly budgets: readonly number[]
  readonly length: Seconds
  readonly seeds: readonly number[]
  readonly contenders: readonly Contender[]
  /** Files that hold policies of the user's own. */
  readonly policyFiles: readonly string[]
  /** Whose figures the tables by source show, as it was asked for; undefined: the usual ones. */
  readonly bySource: readonly string[] | undefined
  readonly lastModified: boolean
  /** Scores of the estimators' foresight, instead of the policies' freshness. */
  readonly scores: 'freshness' | 'log-loss'
  readonly json: boolean
  readonly html: string | undefined
  readonly yes: boolean
}

/** Scores count as late from here. */
export const warmUp: Seconds = 30 * DAY

/** Everyone who can compete; Listing 1 only where it is told what it needs. */
export const allContenders: readonly Contender[] = [
  ...contenders,
  ...otherObjectives,
  listing1Contender,
]

export function evaluateSettings(flags: EvaluateFlags): EvaluateSettings {
  const lastModified = flags.lastModified ?? false
  if (flags.own === true && flags.histories !== undefined)
    throw new OptionError('two-sources', 'say either --own or --histories, not both')
  if (flags.histories === undefined && flags.own !== true)
    throw new OptionError(
      'missing-option',
      'say --histories, a CSV of object_id,unix_seconds, or --own; see revisit evaluate --help',
    )
  return {
    histories: flags.histories,
    objects: flags.objects,
    budgets: budgetsOf(flags.budget ?? '0.05,0.2,1'),
    length: DAY * parseCount(flags.days ?? '365', { option: '--days', from: 1 }),
    seeds: seedsOf(flags.seed ?? '1'),
    contenders: chosen(flags.policies, { lastModified }),
    policyFiles: flags.policy ?? [],
    bySource: flags.bySource?.split(',').map((each) => each.trim()),
    lastModified,
    scores: scoresOf(flags.scores ?? 'freshness'),
    json: flags.json ?? false,
    html: flags.html,
    yes: flags.yes ?? false,
  }
}

function scoresOf(text: string): EvaluateSettings['scores'] {
  if (text === 'freshness' || text === 'log-loss') return text
  throw new OptionError('bad-scores', `--scores takes freshness or log-loss; got "${text}"`)
}

function seedsOf(text: string): number[] {
  const seeds = text.split(',').map((each) => parseCount(each, { option: '--seed', from: 0 }))
  if (new Set(seeds).size === seeds.length) return seeds
  throw new OptionError('bad-seed', `--seed names a seed twice; got "${text}"`)
}

/** More than one visit a second of every page is no budget. */
const mostPerDay = DAY

function budgetsOf(text: string): number[] {
  return text.split(',').map((each) => {
    const value = each.trim() === '' ? Number.NaN : Number(each)
    if (value > 0 && value <= mostPerDay) return value
    throw new OptionError(
      'bad-budget',
      `--budget takes visits a page and day, above 0 and up to ${mostPerDay}, such as 0.05,0.2,1; got "${each.trim()}"`,
    )
  })
}

function chosen(
  names: string | undefined,
  { lastModified }: { lastModified: boolean },
): readonly Contender[] {
  if (names === undefined) return lastModified ? [...contenders, listing1Contender] : contenders
  const there = allContenders.filter((each) => lastModified || each !== listing1Contender)
  return names.split(',').map((each) => {
    const name = each.trim()
    const found = there.find((contender) => contender.name === name)
    if (found !== undefined) return found
    if (/[./\\]/.test(name))
      throw new OptionError(
        'unknown-policy',
        `a file of your own goes after --policy, as in --policy ${name}`,
      )
    if (name === listing1Contender.name)
      throw new OptionError('needs-last-modified', `${name} needs --last-modified`)
    const known = there.map((contender) => contender.name).join(', ')
    throw new OptionError('unknown-policy', `there is no policy "${name}"; there are: ${known}`)
  })
}
