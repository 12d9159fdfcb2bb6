import { storedPlannersFor } from '../../crawler/page-planners.js'
import { PagePolicies } from '../../crawler/page-policies.js'
import { shown } from '../../formats/printable-text.js'
import { humanMoment, humanPeriod } from '../../model/duration.js'
import { isOneSided, type PageRecord, pageSorts } from '../../model/page.js'
import type { Store } from '../../model/store.js'
import type { UnixSeconds } from '../../model/units.js'
import { knownPeriod } from '../../planner/change-period.js'
import { stateSummary } from '../../planner/learned-step.js'
import { isTooFast } from '../../planner/price-reason.js'
import { pageJson } from '../../server/pages/page-view.js'
import { type FlagsOf, storeCommand } from '../command.js'
import { type Configured, type CrawlerFlags, configured, withStore } from '../configured.js'
import { type Environment, exitCode } from '../environment.js'
import { filterOptions, listed, pageFilter } from '../page-selection.js'
import { JsonArray } from '../text/json.js'
import { counted, oneOf, parseCountOrAll } from '../text/numbers.js'
import { AlignedTable, columns } from '../text/table.js'

const options = [
  ...filterOptions,
  [
    '--sort <by>',
    'url, added, due, importance, lastVisit or lastChange (default: url)',
    oneOf(...pageSorts),
  ],
  ['--descending', 'the last first'],
  ['--limit <count>', 'how many, or all (default: 100; with --json all)', parseCountOrAll],
] as const

type ListFlags = FlagsOf<typeof options> & CrawlerFlags

/** `revisit list`: the pages that are followed. */
export const listCommand = storeCommand({
  description: 'The pages that are followed.',
  options,
  run: (environment, _, flags) => list(environment, flags),
})

async function list(environment: Environment, flags: ListFlags): Promise<number> {
  const made = await configured(environment, flags)
  const { limit = flags.json === true ? Infinity : 100, sort = 'url' } = flags
  return withStore(
    made,
    async (store) => {
      const filter = pageFilter(made, flags)
      const pages = listed(store, { filter, sort, descending: flags.descending === true, limit })
      if (flags.json === true) await writeJson(made, { store, pages })
      else await writeTable(made, { store, pages })
      const total = await store.countPages(filter)
      const { collection } = made.config
      const others = total > 0 ? [] : (await store.collections()).filter((it) => it !== collection)
      if (flags.json !== true) environment.out.write(closing({ total, limit, others }))
      return exitCode.done
    },
    { readOnly: true },
  )
}

async function writeTable(
  { environment, config, crawler }: Configured,
  { store, pages }: { store: Store; pages: AsyncIterable<PageRecord> },
): Promise<void> {
  const { out } = environment
  const titles = ['page', '>visits', '>changes', 'it changes', 'last visit', 'next visit']
  const table = new AlignedTable(columns(...titles), out)
  const plannerFor = await storedPlannersFor(store, config)
  const now = crawler.clock.now()
  let waiting = 0
  let oneSided = 0
  for await (const page of pages) {
    const period = await knownPeriod(store, { planner: plannerFor(page), page })
    const inBrackets = period !== null && isOneSided(stateSummary(page.state) ?? page)
    const tooFast = isTooFast(page, now)
    table.row([
      shown(page.url),
      String(page.visits),
      String(page.changes),
      inBrackets ? `(${humanPeriod(period)})` : humanPeriod(period),
      page.lastVisit === null
        ? 'never'
        : `${page.lastVisit.outcome}, ${humanMoment(page.lastVisit.at, now)}`,
      nextText(page, { now, tooFast }),
    ])
    if (tooFast) waiting++
    if (inBrackets) oneSided++
  }
  table.end()
  if (oneSided > 0) environment.out.write(oneSidedText)
  if (waiting > 0) environment.out.write(waitingText(waiting))
}

function nextText(
  { due }: PageRecord,
  { now, tooFast }: { now: UnixSeconds; tooFast: boolean },
): string {
  if (due.at === 'never') return 'never'
  if (due.at <= now) return 'due'
  return `${humanMoment(due.at, now)}${tooFast ? ', too fast to follow' : ''}`
}

const oneSidedText =
  '\nIn brackets: an estimate, since no visit found a change yet, or every one did\n'

function waitingText(waiting: number): string {
  return `\n${counted(waiting, 'page')} too fast to follow: out of date again so soon after a visit that it gains next to nothing for its price; revisit show URL says why. To visit one more often: a shorter --longest (revisit watch --longest TIME URL), or a larger budget\n`
}

async function writeJson(
  { environment, config }: Configured,
  { store, pages }: { store: Store; pages: AsyncIterable<PageRecord> },
): Promise<void> {
  const plannerFor = await storedPlannersFor(store, config)
  const policies = new PagePolicies(config)
  const array = new JsonArray(environment.out)
  for await (const page of pages) {
    const changePeriod = await knownPeriod(store, { planner: plannerFor(page), page })
    const record = { ...pageJson(page), ...policies.json(page), changePeriod }
    array.record(record)
    await environment.out.drained()
  }
  array.end()
}

function closing({
  total,
  limit,
  others,
}: {
  readonly total: number
  readonly limit: number
  /** Collections of the store, where this one has no such page: a crawl of the frontier is one. */
  readonly others: readonly string[]
}): string {
  if (others.length > 0)
    return `no pages here; other collections: ${others.map(shown).join(', ')} (--collection NAME)\n`
  if (total === 0) return 'no pages; revisit watch https://... begins with one\n'
  const more = total > limit ? `; the first ${limit} are shown, --limit all shows the rest` : ''
  return `\n${counted(total, 'page')}${more}\n`
}
