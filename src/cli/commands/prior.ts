import { buffer } from 'node:stream/consumers'
import { shown } from '../../formats/printable-text.js'
import { humanDuration } from '../../model/duration.js'
import { InputError, OptionError } from '../../model/errors.js'
import { historyOf } from '../../model/history.js'
import type { Store } from '../../model/store.js'
import { DAY, HOUR, type Seconds } from '../../model/units.js'
import { groupOf } from '../../planner/collection/planners.js'
import { keepPrior, priorSetting, storedPrior } from '../../planner/collection/scan.js'
import { defaultChangeLaw, defaultPrior } from '../../planner/prior/default-prior.js'
import { fitAutoPrior, type PriorPage } from '../../planner/prior/fit-prior.js'
import {
  type AutoPrior,
  type PriorSummary,
  parseAutoPrior,
  priorSummary,
} from '../../planner/prior/prior.js'
import { type CommandGroup, type FlagsOf, storeCommand } from '../command.js'
import { type Configured, type CrawlerFlags, configured, withStore } from '../configured.js'
import { type Environment, exitCode, type TextOutput } from '../environment.js'
import { listed } from '../page-selection.js'
import { answer, jsonText } from '../text/json.js'
import { counted, percent } from '../text/numbers.js'
import { gatheredVisits, logOptions } from '../visit-log.js'

/** The pages of a log of visits, as `revisit import` reads it; grouped by host. */
async function loggedPages(
  made: Configured,
  { file, flags }: { readonly file: string; readonly flags: FlagsOf<typeof logOptions> },
): Promise<PriorPage[]> {
  const { gathered } = await gatheredVisits(made, { file, flags })
  return [...gathered.pages()].flatMap(({ url, visits }) => {
    const history = historyOf(distinct(visits))
    const group = new URL(url).host
    return history === null || history.observations.length === 0 ? [] : [{ group, history }]
  })
}

/** Two visits at the same time: which came first cannot be known, so one of them is left out. */
function distinct<T extends { readonly at: number }>(visits: readonly T[]): T[] {
  return visits.filter((visit, i) => i === 0 || visit.at > visits[i - 1]!.at)
}

const ends: ReadonlyArray<readonly [string, Seconds]> = [
  ['within an hour', HOUR],
  ['1 to 6 hours', 6 * HOUR],
  ['6 hours to a day', DAY],
  ['1 to 7 days', 7 * DAY],
  ['7 to 30 days', 30 * DAY],
  ['1 to 6 months', 180 * DAY],
  ['more rarely', Infinity],
]
const mostGroups = 10
const widest = 40

/** A prior in words, with a bar for each range of change periods. */
function priorText(
  prior: AutoPrior,
  { out, group }: { readonly out: TextOutput; readonly group: string | undefined },
): string {
  const entry = group === undefined ? prior.whole : prior.groups[group]
  if (entry === undefined)
    throw new OptionError(
      'unknown-group',
      `there is no change law of its own for "${group}"; it has the whole's. Groups: ${groupNames(prior)}`,
    )
  const summary = priorSummary(entry)
  const about = group === undefined ? prior.how : `${shown(group)}, ${counted(entry.pages, 'page')}`
  return [
    `What is assumed of a page before it is visited (${about})`,
    '',
    'It changes every ...',
    ...bars(summary, out),
    '',
    rateWords(summary),
    hourWords(summary),
    beginningWords(summary),
    ...(group === undefined ? groupLines(prior) : []),
    '',
  ].join('\n')
}

function groupNames({ groups }: AutoPrior): string {
  return Object.keys(groups).slice(0, mostGroups).map(shown).join(', ') || 'none'
}

function bars({ periods }: PriorSummary, { columns }: TextOutput): string[] {
  const shares = ends.map(() => 0)
  for (const { period, mass } of periods)
    shares[ends.findIndex(([, end]) => period <= end)]! += mass
  const room = Math.max(10, Math.min(widest, (columns ?? 80) - 30))
  const most = Math.max(...shares)
  return ends.map(([name], i) => {
    const bar = '█'.repeat(Math.round((room * shares[i]!) / most))
    return `  ${name.padEnd(16)} ${percent(shares[i]!).padStart(4)} ${bar}`.trimEnd()
  })
}

function rateWords({ medianPeriod, steadyShare }: PriorSummary): string {
  return `Half of all pages change more often than every ${humanDuration(medianPeriod)}; ${percent(steadyShare)} at random, the others in bursts with quiet time between.`
}

function hourWords({ weekdays, hours }: PriorSummary): string {
  const speeds = weekdays.map(({ speed }) => speed)
  const busiest = weekdays[indexOfMost(speeds)]!
  const quietest = weekdays[indexOfMost(speeds.map((each) => -each))]!
  const [early, late] = [indexOfMost(hours), indexOfMost(hours.map((each) => -each))]
  if (busiest.speed < 1.1 * quietest.speed && hours[early]! < 1.1 * hours[late]!)
    return 'At any hour of the week alike.'
  const ratio = (busiest.speed / Math.max(0.02, quietest.speed)).toFixed(1)
  return `${ratio} times as much on a ${busiest.name} as on a ${quietest.name}; most at ${clock(early)}, least at ${clock(late)} (UTC).`
}

function beginningWords({ newShare }: PriorSummary): string {
  return `${percent(newShare)} of the pages are followed from their beginning, when they change most; the others from any moment.`
}

function indexOfMost(values: readonly number[]): number {
  return values.reduce((best, each, i) => (each > values[best]! ? i : best), 0)
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:30`
}

function groupLines({ groups }: AutoPrior): string[] {
  const all = Object.entries(groups).sort((a, b) => b[1].pages - a[1].pages)
  if (all.length === 0) return []
  const lines = all
    .slice(0, mostGroups)
    .map(
      ([name, entry]) =>
        `  ${shown(name)}: ${counted(entry.pages, 'page')}, half change more often than every ${humanDuration(priorSummary(entry).medianPeriod)}`,
    )
  const rest = all.length - mostGroups
  return [
    '',
    `${counted(all.length, 'group')} with a change law of its own:`,
    ...lines,
    ...(rest > 0 ? [`  and ${rest} more; --json has all`] : []),
  ]
}

/** Pages and visits of each that are learned from: some seconds' work. */
const mostPages = 4_000
const mostVisits = 200

/** `revisit prior show|fit|export|import`: what is assumed of pages before they are visited. */
export const priorCommand: CommandGroup = {
  description:
    'The prior: what is assumed of pages before they are visited. run learns it anew by itself as the collection grows.',
  subcommands: {
    show: {
      summary: 'print it in words',
      command: storeCommand({
        description: 'What is assumed of pages before they are visited, in words.',
        options: [['--group <name>', 'the change law of this group or host']],
        run: (environment, _, flags) =>
          withPrior(environment, flags, (asked) => show(asked, flags.group), { readOnly: true }),
      }),
    },
    fit: {
      summary: 'learn it from the visits of the collection, or from a log',
      command: storeCommand({
        description:
          'Learn the prior from the visits of the collection, or from a log as revisit estimate reads it.',
        arguments: [['[FILE]', 'a log of visits']],
        options: logOptions,
        run: (environment, [file], flags) =>
          withPrior(environment, flags, (asked) => fitted(asked, { file, flags })),
      }),
    },
    export: {
      summary: 'write it as JSON',
      command: storeCommand({
        description: 'Write the prior as JSON; with --json, what was written to FILE is printed.',
        arguments: [['[FILE]', 'the file to write; standard output without it, or with -']],
        run: (environment, [file], flags) =>
          withPrior(environment, flags, (asked) => exported(asked, file), { readOnly: true }),
      }),
    },
    import: {
      summary: 'take one that was written as JSON',
      command: storeCommand({
        description: 'Take a prior that was written as JSON, in the place of the one there is.',
        arguments: [['[FILE]', 'the JSON file']],
        run: (environment, [file], flags) =>
          withPrior(environment, flags, (asked) => imported(asked, file)),
      }),
    },
  },
}

interface Asked {
  readonly made: Configured
  readonly store: Store
  readonly json: boolean
}

async function withPrior(
  environment: Environment,
  flags: CrawlerFlags,
  task: (asked: Asked) => Promise<void>,
  options: { readonly readOnly?: boolean } = {},
): Promise<number> {
  const made = await configured(environment, flags)
  const json = flags.json === true
  await withStore(made, (store) => task({ made, store, json }), options)
  return exitCode.done
}

async function show({ made, store, json }: Asked, group: string | undefined): Promise<void> {
  const prior = await currentPrior(made, store)
  const { out } = made.environment
  out.write(json ? jsonText(prior) : priorText(prior, { out, group }))
}

async function exported({ made, store, json }: Asked, file: string | undefined): Promise<void> {
  const { environment } = made
  const prior = await currentPrior(made, store)
  const text = jsonText(prior)
  if (file === undefined || file === '-') {
    environment.out.write(text)
    return
  }
  await environment.save(file, text)
  const groups = Object.keys(prior.groups).length
  const summary = { file, format: prior.format, groups, bytes: Buffer.byteLength(text) }
  if (json) environment.out.write(jsonText(summary))
}

async function imported(asked: Asked, file: string | undefined): Promise<void> {
  if (file === undefined)
    throw new OptionError('missing-file', 'name the file: revisit prior import prior.json')
  const { chunks } = await asked.made.environment.open(file)
  const text = (await buffer(chunks)).toString('utf8')
  await keep(asked, parsed(text, file))
}

function parsed(text: string, file: string): AutoPrior {
  try {
    return parseAutoPrior(text)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    throw new InputError(error.code, `${file}: ${error.message}`, { cause: error })
  }
}

/** From the visits of the store, or of a log. */
async function fitted(
  asked: Asked,
  { file, flags }: { file: string | undefined; flags: FlagsOf<typeof logOptions> },
): Promise<void> {
  const { made, store } = asked
  const pages =
    file === undefined ? await storedPages(made, store) : await loggedPages(made, { file, flags })
  if (pages.length === 0)
    throw new InputError('no-history', 'no page was seen twice, so there is nothing to learn from')
  const observations = pages.reduce((sum, { history }) => sum + history.observations.length, 0)
  const from = file ?? `collection "${made.config.collection}"`
  const how = `learned by EM from ${pages.length} pages of ${from}, ${observations} comparisons`
  await keep(asked, fitAutoPrior(pages, { how, towards: defaultChangeLaw }))
}

async function storedPages(made: Configured, store: Store): Promise<PriorPage[]> {
  const { collection } = made.config
  const stride = Math.max(1, Math.ceil((await store.countPages({ collection })) / mostPages))
  const pages: PriorPage[] = []
  let met = 0
  for await (const page of listed(store, { filter: { collection } })) {
    if (page.visits < 2 || met++ % stride !== 0) continue
    const history = historyOf(await store.visitsOf(page, { newest: mostVisits }))
    if (history !== null && history.observations.length > 0)
      pages.push({ group: groupOf(page), history })
  }
  return pages
}

async function keep({ made, store, json }: Asked, prior: AutoPrior): Promise<void> {
  const { environment, config } = made
  const { collection } = config
  // With the comparisons of now: otherwise the next run would learn its own at once, in the place of this one.
  await keepPrior({ store, collection }, { prior, comparisons: await comparisons(store, config) })
  const text = `the prior of collection "${config.collection}" is now one ${prior.how}; ${counted(Object.keys(prior.groups).length, 'group')} of its own\n`
  answer(environment, { json, record: prior, text })
}

async function comparisons(store: Store, { collection }: Configured['config']): Promise<number> {
  let total = 0
  for await (const { visits } of listed(store, { filter: { collection } }))
    total += Math.max(0, visits - 1)
  return total
}

/** What is stored, or what ships. */
async function currentPrior({ config }: Configured, store: Store): Promise<AutoPrior> {
  const stored = storedPrior(await store.getSetting(config.collection, priorSetting))
  return stored ?? shipped
}

const shipped: AutoPrior = {
  format: 'revisit-auto-prior',
  version: 1,
  how: `shipped with Revisit, learned from ${defaultPrior.pages} recorded histories`,
  whole: defaultPrior,
  groups: {},
}
