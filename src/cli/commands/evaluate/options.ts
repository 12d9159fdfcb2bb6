import type { Contender } from '../../../lab/evaluate/contender.js'
import {
  annealedContender,
  contenders,
  listing1Contender,
  otherObjectives,
} from '../../../lab/evaluate/contenders.js'
import { OptionError } from '../../../model/errors.js'
import type { RecordedChanges } from '../../../model/history.js'
import { DAY, type Seconds } from '../../../model/units.js'
import type { FlagsOf } from '../../command.js'
import { exitCodeHelp } from '../../environment.js'
import { count, oneOf } from '../../text/numbers.js'

/** What is run without asking. */
const evaluateLimits = {
  visits: 2e9,
  bytes: 2e9,
  words: 'about 2,000,000,000 simulated visits (some ten minutes) or 2 GB of memory',
} as const

/** A rule is run about so often until its factor is found. */
const runsOfRule = 10
/** A learner's memory, scores, a timeline. */
const bytesPerPage = 2_500
/** A change's time, its place in the order of the clairvoyant, and when it was noticed. */
const bytesPerChange = 60

interface EvaluateEffort {
  readonly visits: number
  readonly bytes: number
}

/** What an evaluation will cost, from pages x days x visits a day x runs. */
export function evaluateEffort(
  objects: readonly RecordedChanges[],
  { length, budgets, contenders, seeds }: EvaluateSettings,
): EvaluateEffort {
  const days = objects.reduce(
    (sum, { from, until }) => sum + Math.min(length, until - from) / DAY,
    0,
  )
  const changes = objects.reduce((sum, each) => sum + each.changes.length, 0)
  const perDay = budgets.reduce((sum, each) => sum + each, 0)
  const runs = contenders.reduce((sum, { kind }) => sum + (kind === 'rule' ? runsOfRule : 1), 0)
  // Shared-out budgets go over every page each day.
  const mornings = 0.2 * days * budgets.length * contenders.length
  return {
    visits: seeds.length * (days * perDay * runs + mornings),
    bytes: objects.length * bytesPerPage + changes * bytesPerChange,
  }
}

/** Why to ask first; undefined where there is no reason. */
export function tooMuch({ visits, bytes }: EvaluateEffort): string | undefined {
  if (visits > evaluateLimits.visits)
    return `this takes about ${visits.toExponential(1)} simulated visits, more than ${evaluateLimits.words}`
  if (bytes > evaluateLimits.bytes)
    return `this takes about ${(bytes / 1e9).toFixed(1)} GB, more than ${evaluateLimits.words}`
  return undefined
}

/** The options of `revisit evaluate`. */
export const evaluateOptions = [
  ['--histories <file>', 'when pages changed: CSV object_id,unix_seconds (gzipped or not)'],
  [
    '--objects <file>',
    'the pages: CSV object_id,first,observed_until and, if known, source,cadence_s',
  ],
  ['--own', 'replay what your own collection recorded instead; see below'],
  ['--database <where>', 'with --own: the store (default: revisit.db)'],
  ['--collection <name>', 'with --own: the collection (default: default)'],
  ['--config <file>', 'with --own: the configuration file'],
  ['--budget <list>', 'visits a page and day, such as 0.05,0.2,1 (the default)', budgetsOf],
  ['--days <count>', 'how long a stretch of each source is replayed (default: 365)', count(1)],
  [
    '--seed <list>',
    'the same seed gives the same results; of several, such as 1,2,3, means (default: 1)',
    seedsOf,
  ],
  [
    '--policies <names>',
    'only these, such as equal,nutch or auto-delay (another objective); "list" describes all',
  ],
  [
    '--policy <file>',
    'a policy of your own besides: a JavaScript file; again for more; see below',
    'again',
  ],
  [
    '--by-source <names>',
    'policies in the tables by source, all or none (default: equal, lambda-crawl, auto and yours)',
    (text: string) => text.split(',').map((each) => each.trim()),
  ],
  [
    '--scores <what>',
    'freshness of the policies (the default), or log-loss: how well estimators predict visits',
    oneOf('freshness', 'log-loss'),
  ],
  ['--last-modified', 'pages tell their true Last-Modified, not only whether they changed'],
  ['-j, --json', 'JSON; durations in seconds'],
  ['--html <file>', 'write a report with figures'],
  ['-y, --yes', `go on with more than ${evaluateLimits.words}`],
] as const

export type EvaluateFlags = FlagsOf<typeof evaluateOptions>

const columns = `Columns:
  fresh       share of the time in which the copies equalled the pages, and its standard error by source (pages of one source are alike)
  over equal  freshness less that of equal visits, and the standard error of that difference, which is what to compare policies by: all meet the same changes
  after 30d   freshness without the first 30 days of each page
  copy age    mean time since a copy went stale, 0 while it is fresh
  delay       mean time from a change to the visit that noticed it, over all changes: several in one gap are each noticed by the visit that ends it, and a change that no visit noticed counts to the end of the page's record; 90% by: nine in ten were noticed within that time
  caught      share of the changes that a visit noticed; several in one gap count once
  needless    share of the visits that found nothing new
  used        visits a page and day that were made, beyond the first
  gaps x      the one factor on all gaps by which a rule without a budget keeps it, found in hindsight: its best case; - where a rule keeps the budget by itself, and where the factor is not known, as in a history too short for the budget`

const treatment = `Without --objects all pages are one source, each followed from its first time (no change) to its last. Of each source the stretch with most page-days is taken. Pages of one source keep their alignment in time. A change found by polling (cadence_s above 0) is put back by seeded sampling to somewhere in the poll's gap; pages with exact times are also shown apart, pooled from the same runs. Tables by source have the error of leaving out one page at a time; where pages change together, it is too small. A policy that predicts how fresh its copies will be has a table of what it predicted and what came true. With several seeds every run is made for each, and JSON has the standard deviation over them (spread). What is learned beforehand (priors) is fitted on the other sources.

With --own the changes are those that your visits found. A change is known only to lie between two visits: it is put where a believable Last-Modified says, else by seeded sampling somewhere in the gap. Several changes in one gap were seen as one, so a policy that visits more often than you did cannot show what it would have found; each host or group is a source.`

const own = `A policy of your own is a file with either of
  export default { name: 'mine', nextGap: (page) => seconds }
  export default { name: 'mine', rates: (pages, budget) => visitsADay }
nextGap is asked after each visit and scaled to the budget in hindsight, as the other rules are; rates shares the day's visits out over all pages and keeps it. A page has at, visits, changes, gap, changed, plannedGap, changePeriod (estimated; or null), contentAge (or null), random() and memory, an object for you to keep things in. Times are in seconds. The file is run with all the rights of this command: name only files that you trust. See docs/guides/benchmark.md.`

const examples = `Examples:
  revisit evaluate --histories updates.csv.gz --objects objects.csv
  revisit evaluate --histories updates.csv --objects objects.csv --budget 0.2 --policies equal,nutch,lambda-crawl
  revisit evaluate --histories updates.csv --objects objects.csv --policies equal,auto --policy ./mine.js
  revisit evaluate --own --budget 0.2,1 --policies equal,nutch,auto
  revisit evaluate --policies list`

/** What stands below the options in its help. */
export const evaluateHelp = [columns, treatment, own, `${examples}\n${exitCodeHelp}`].join('\n\n')

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
  /** Scores of the estimators' prediction, instead of the policies' freshness. */
  readonly scores: 'freshness' | 'log-loss'
  readonly json: boolean
  readonly html: string | undefined
  readonly yes: boolean
}

/** Scores count as late from here. */
export const warmUp: Seconds = 30 * DAY

/** Everyone who can compete; Listing 1 only where it is given what it needs. */
export const allContenders: readonly Contender[] = [
  ...contenders,
  ...otherObjectives,
  annealedContender,
  listing1Contender,
]

export function evaluateSettings(flags: EvaluateFlags): EvaluateSettings {
  const { histories, objects, bySource, html, policy: policyFiles = [] } = flags
  const { budget: budgets = [0.05, 0.2, 1], days = 365, seed: seeds = [1] } = flags
  const { lastModified = false, scores = 'freshness', json = false, yes = false } = flags
  if (flags.own === true && histories !== undefined)
    throw new OptionError('two-sources', 'say either --own or --histories, not both')
  if (histories === undefined && flags.own !== true)
    throw new OptionError(
      'missing-option',
      'say --histories, a CSV of object_id,unix_seconds, or --own; see revisit evaluate --help',
    )
  return {
    histories,
    objects,
    budgets,
    length: DAY * days,
    seeds,
    contenders: chosen(flags.policies, { lastModified }),
    policyFiles,
    bySource,
    lastModified,
    scores,
    json,
    html,
    yes,
  }
}

function seedsOf(text: string, option: string): number[] {
  const seeds = text.split(',').map((each) => count(0)(each, option))
  if (new Set(seeds).size === seeds.length) return seeds
  throw new OptionError('bad-seed', `${option} names a seed twice; got "${text}"`)
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
