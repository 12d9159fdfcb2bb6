import { basename, extname } from 'node:path'
import {
  type ReplayCollection,
  recordedFrom,
  replayCollection,
} from '../../../lab/evaluate/collection.js'
import type { Contender } from '../../../lab/evaluate/contender.js'
import {
  type EvaluationRow,
  evaluateParts,
  type MeanRow,
  meanRows,
} from '../../../lab/evaluate/evaluate.js'
import { type OwnPolicy, ownContender } from '../../../lab/evaluate/own-policy.js'
import { humanDuration } from '../../../model/duration.js'
import { InputError, OptionError } from '../../../model/errors.js'
import { given } from '../../../model/given.js'
import type { RecordedChanges } from '../../../model/history.js'
import { DAY } from '../../../model/units.js'
import { groupOf } from '../../../planner/collection/planners.js'
import type { Environment } from '../../environment.js'
import { type EvaluateFlags, type EvaluateSettings, warmUp } from './options.js'

/** Results on some of the pages. */
export interface EvaluatedPart {
  /** `exact` are the pages whose change times were not found by polling. */
  readonly pages: 'all' | 'exact'
  /** With the first seed: others may move a change out of the stretch that is replayed. */
  readonly size: { readonly pages: number; readonly sources: number; readonly changes: number }
  readonly rows: readonly MeanRow[]
}

/** The recorded changes; those of one's own collection are sampled within their gaps. */
export type ObjectsFor = (seed: number) => Promise<readonly RecordedChanges[]>

/**
 * Every contender with every budget and seed, once, on all pages. Those with
 * exact times, where only some have them, are shown apart, from the same runs.
 */
export async function runEvaluation(
  environment: Environment,
  { objectsFor, settings }: { objectsFor: ObjectsFor; settings: EvaluateSettings },
): Promise<EvaluatedPart[]> {
  const { length, seeds, contenders, budgets, lastModified } = settings
  const total = seeds.length * contenders.length * budgets.length
  const progress = environment.progress({ label: 'replaying', total, writes: false })
  let done = 0
  const onRun = () => progress.at(done++)
  const runs: EvaluationRow[][][] = []
  let sizes: Omit<EvaluatedPart, 'rows'>[] = []
  try {
    for (const seed of seeds) {
      const collection = replayCollection(await objectsFor(seed), { length, seed })
      const parts = partsOf(collection)
      const run = { seed, warmUp, lastModified }
      if (runs.length === 0)
        sizes = parts.map(({ pages, keep }) => ({ pages, size: sizeOf(collection, keep) }))
      const keep = parts.map((part) => part.keep)
      runs.push(evaluateParts(collection, { contenders, budgets, run, onRun, parts: keep }))
    }
  } finally {
    progress.stop()
  }
  return sizes.map((part, i) => ({ ...part, rows: meanRows(runs.map((rows) => rows[i]!)) }))
}

interface Part {
  readonly pages: 'all' | 'exact'
  readonly keep: (page: number) => boolean
}

function partsOf({ exact, ids }: ReplayCollection): Part[] {
  const count = exact.reduce((sum, each) => sum + each, 0)
  const all: Part = { pages: 'all', keep: () => true }
  if (count === 0 || count === ids.length) return [all]
  return [all, { pages: 'exact', keep: (page) => exact[page] === 1 }]
}

/** Pages, sources and changes of some pages of a collection. */
function sizeOf(
  { ids, sources, offsets }: ReplayCollection,
  keep: (page: number) => boolean,
): EvaluatedPart['size'] {
  const pages = ids.map((_, page) => page).filter(keep)
  return {
    pages: pages.length,
    sources: new Set(pages.map((page) => sources[page])).size,
    changes: pages.reduce((sum, page) => sum + offsets[page + 1]! - offsets[page]!, 0),
  }
}

/** Visits of a page that are replayed. */
const mostVisits = 20_000

/** What the store's visits tell of when its pages changed, and how much that is. */
export async function ownHistories(
  environment: Environment,
  {
    flags,
    settings,
    seed,
  }: {
    readonly flags: EvaluateFlags
    readonly settings: EvaluateSettings
    /** Of the sampling that puts a change into its gap. */
    readonly seed: number
  },
): Promise<RecordedChanges[]> {
  // Loaded when asked for: other evaluations need no database.
  const { configured, withStore } = await import('../../configured.js')
  const { listed } = await import('../../page-selection.js')
  const { database, config } = flags
  const asked = given({ database, collection: flags.collection, config })
  const made = await configured(environment, asked)
  const { collection } = made.config
  const found: RecordedChanges[] = []
  const seen = { visits: 0, days: 0 }
  await withStore(
    made,
    async (store) => {
      for await (const page of listed(store, { filter: { collection } })) {
        const visits = await store.visitsOf(page, { newest: mostVisits })
        const about = { id: page.url, source: groupOf(page), seed }
        const record = recordedFrom(visits, about)
        if (record === null) continue
        found.push(record)
        seen.visits += visits.length - 1
        seen.days += (record.until - record.from) / DAY
      }
    },
    { readOnly: true },
  )
  if (found.length === 0)
    throw new InputError(
      'no-history',
      `no page of collection "${collection}" was seen twice; let revisit run for some days first`,
    )
  if (seed === settings.seeds[0]) tellLimits(environment, { ...seen, budgets: settings.budgets })
  return found
}

/** A budget above what was spent asks for what nobody recorded. */
function tellLimits(
  { err }: Environment,
  seen: { visits: number; days: number; budgets: readonly number[] },
): void {
  const { budgets } = seen
  const perDay = seen.visits / seen.days
  const rounded = Number(perDay.toPrecision(2))
  err.write(
    `revisit: recorded by ${rounded} visits a page and day; a change is known to lie between two visits and is placed there by seeded sampling\n`,
  )
  const above = budgets.filter((budget) => budget > perDay)
  if (above.length > 0)
    err.write(
      `revisit: with ${above.join(', ')} visits a page and day, more than were made, results flatter: changes between your visits were never seen\n`,
    )
}

/** Visits of a page that a replay needs, before what a policy learns of it can show. */
const fewestVisits = 5

/** A budget that hardly visits a page in the time that is replayed is no test, and first visits alone exceed it. */
export function tellShort(
  { err }: Environment,
  {
    records,
    what,
    budgets,
  }: {
    readonly records: readonly RecordedChanges[]
    /** What the records are made of. */
    readonly what: string
    readonly budgets: readonly number[]
  },
): void {
  const longest = records.reduce((most, { from, until }) => Math.max(most, until - from), 0)
  const short = budgets.filter((budget) => (budget * longest) / DAY < fewestVisits)
  if (short.length > 0)
    err.write(
      `revisit: the ${what} span ${humanDuration(longest)} at most, too short for ${short.join(', ')} visits a page and day: a page would be visited fewer than ${fewestVisits} times. Ignore these figures until at least ${humanDuration((fewestVisits * DAY) / Math.min(...short))} are recorded\n`,
    )
}

/** The policies of the user's own files, in the order of the command line. */
export async function ownPolicies(
  { load }: Environment,
  { files, others }: { files: readonly string[]; others: readonly Contender[] },
): Promise<Contender[]> {
  const found: Contender[] = []
  for (const file of files) {
    const contender = ownContender(policyOf(file, await load(file)))
    if ([...others, ...found].some(({ name }) => name === contender.name))
      throw new OptionError(
        'same-name',
        `${file}: there is a policy "${contender.name}" already; give yours another name`,
      )
    found.push(contender)
  }
  return found
}

/** The default export, checked: `name` is the file's by default. */
function policyOf(file: string, module: Readonly<Record<string, unknown>>): OwnPolicy {
  const given = module.default
  const wrong = (what: string) => new InputError('bad-policy', `${file} ${what}`)
  if (given === undefined)
    throw wrong('has no default export; write export default { nextGap(page) { ... } }')
  if (typeof given !== 'object' || given === null)
    throw wrong('exports no object by default; write export default { nextGap(page) { ... } }')
  const { name, summary, nextGap, rates } = given as Record<string, unknown>
  if (name !== undefined && (typeof name !== 'string' || !/^[\w.-]{1,40}$/.test(name)))
    throw wrong('has a name that is not 1 to 40 letters, digits, dots, dashes')
  if (summary !== undefined && typeof summary !== 'string')
    throw wrong('has a summary that is not text')
  const forms = [nextGap, rates].filter((each) => each !== undefined)
  if (forms.length !== 1)
    throw wrong(
      `has ${forms.length === 0 ? 'neither nextGap nor rates' : 'both nextGap and rates'}; it must have one of them`,
    )
  if (typeof forms[0] !== 'function')
    throw wrong(`has a ${nextGap === undefined ? 'rates' : 'nextGap'} that is not a function`)
  const called = forms[0].bind(given)
  return {
    name: name ?? basename(file, extname(file)),
    summary: summary ?? `the policy of ${file}`,
    ...(nextGap === undefined ? { rates: called } : { nextGap: called }),
  }
}
