import { plannersOf, storedPlanners } from '../../crawler/page-planners.js'
import { PagePolicies } from '../../crawler/page-policies.js'
import { shown } from '../../formats/printable-text.js'
import { humanPeriod } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import { outcomes } from '../../model/history.js'
import { type PageFilter, type PageRecord, type PageSort, pageSorts } from '../../model/page.js'
import type { Store } from '../../model/store.js'
import { knownPeriod } from '../../planner/change-period.js'
import { pageJson } from '../../server/pages/page-view.js'
import { type Configured, type CrawlerFlags, configured, withStore } from '../configured.js'
import { type Environment, exitCode } from '../environment.js'
import { counted } from '../text/numbers.js'
import { AlignedTable } from '../text/table.js'
import { humanMoment } from '../text/time.js'

export interface FilterFlags extends CrawlerFlags {
  readonly host?: string
  readonly group?: string
  readonly outcome?: string
  readonly contains?: string
  readonly due?: boolean
}

export interface ListFlags extends FilterFlags {
  readonly sort?: string
  readonly descending?: boolean
  readonly limit?: string
}

/** Rows fetched at a time. */
const stretch = 500

/** `revisit list`: the pages that are followed. */
export async function listCommand(environment: Environment, flags: ListFlags): Promise<number> {
  const made = await configured(environment, flags)
  const limit = limitOf(flags)
  const sort = sortOf(flags.sort)
  return withStore(
    made,
    async (store) => {
      const filter = pageFilter(made, flags)
      const pages = listed(store, { filter, sort, descending: flags.descending === true, limit })
      if (flags.json === true) await writeJson(made, { store, pages })
      else await writeTable(made, { store, pages })
      const total = await store.countPages(filter)
      if (flags.json !== true) environment.out.write(closing(total, limit))
      return exitCode.done
    },
    { readOnly: true },
  )
}

/** Which pages the options speak of. */
export function pageFilter({ config, crawler }: Configured, flags: FilterFlags): PageFilter {
  const outcome = outcomes.find((each) => each === flags.outcome)
  if (flags.outcome !== undefined && outcome === undefined)
    throw new OptionError(
      'bad-option',
      `--outcome takes ${outcomes.join(', ')}; got "${flags.outcome}"`,
    )
  return {
    collection: config.collection,
    ...(flags.host === undefined ? {} : { host: flags.host }),
    ...(flags.group === undefined ? {} : { group: flags.group }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(flags.contains === undefined ? {} : { urlContains: flags.contains }),
    ...(flags.due === true ? { dueBy: crawler.clock.now() } : {}),
  }
}

/** Pages one after the other, fetched by the stretch. */
export async function* listed(
  store: Store,
  query: {
    readonly filter: PageFilter
    readonly sort?: PageSort
    readonly descending?: boolean
    readonly limit?: number
  },
): AsyncGenerator<PageRecord> {
  const { filter, sort = 'added', descending = false } = query
  let left = query.limit ?? Infinity
  let after: string | undefined
  while (left > 0) {
    const limit = Math.min(left, stretch)
    const next = after === undefined ? {} : { after }
    const list = await store.listPages({ ...filter, sort, descending, limit, ...next })
    yield* list.pages
    left -= list.pages.length
    if (list.next === null) return
    after = list.next
  }
}

function limitOf({ limit, json }: ListFlags): number {
  if (limit === undefined) return json === true ? Infinity : 100
  if (limit === 'all') return Infinity
  if (/^[1-9]\d{0,14}$/.test(limit)) return Number(limit)
  throw new OptionError('bad-limit', `--limit takes a whole number from 1, or all; got "${limit}"`)
}

function sortOf(text: string | undefined): PageSort {
  const found = pageSorts.find((each) => each.toLowerCase() === (text ?? 'url').toLowerCase())
  if (found !== undefined) return found
  throw new OptionError('bad-option', `--sort takes ${pageSorts.join(', ')}; got "${text}"`)
}

async function writeTable(
  { environment, config, crawler }: Configured,
  { store, pages }: { store: Store; pages: AsyncIterable<PageRecord> },
): Promise<void> {
  const { out } = environment
  const table = new AlignedTable(
    [
      { title: 'page', align: 'left' },
      { title: 'visits', align: 'right' },
      { title: 'changes', align: 'right' },
      { title: 'it changes', align: 'left' },
      { title: 'last visit', align: 'left' },
      { title: 'next visit', align: 'left' },
    ],
    { write: (text) => out.write(text), room: out.columns },
  )
  const plannerFor = plannersOf(config, await storedPlanners(store, config))
  const now = crawler.clock.now()
  for await (const page of pages) {
    table.row([
      shown(page.url),
      String(page.visits),
      String(page.changes),
      humanPeriod(await knownPeriod(store, { planner: plannerFor(page), page })),
      page.lastVisit === null
        ? 'never'
        : `${page.lastVisit.outcome}, ${humanMoment(page.lastVisit.at, now)}`,
      page.due.at === 'never'
        ? 'never'
        : page.due.at <= now
          ? 'due'
          : humanMoment(page.due.at, now),
    ])
  }
  table.end()
}

async function writeJson(
  { environment, config }: Configured,
  { store, pages }: { store: Store; pages: AsyncIterable<PageRecord> },
): Promise<void> {
  const plannerFor = plannersOf(config, await storedPlanners(store, config))
  const policies = new PagePolicies(config)
  let before = '[\n'
  for await (const page of pages) {
    const changePeriod = await knownPeriod(store, { planner: plannerFor(page), page })
    const record = { ...pageJson(page), ...policies.json(page), changePeriod }
    environment.out.write(`${before}${JSON.stringify(record)}`)
    before = ',\n'
    await environment.out.drained()
  }
  environment.out.write(before === '[\n' ? '[]\n' : '\n]\n')
}

function closing(total: number, limit: number): string {
  if (total === 0) return 'no pages; revisit watch https://... begins with one\n'
  const more = total > limit ? `; the first ${limit} are shown, --limit all shows the rest` : ''
  return `\n${counted(total, 'page')}${more}\n`
}
