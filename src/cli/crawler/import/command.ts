import { trackingParameters } from '../../../crawl/index.js'
import { Problems } from '../../../formats/index.js'
import { HOUR, type Store } from '../../../model/index.js'
import { Random } from '../../../numeric/index.js'
import { logOf } from '../../estimate/log.js'
import { problemLines } from '../../estimate/report.js'
import { type EstimateFlags, estimateSettings } from '../../estimate/settings.js'
import { exitCode } from '../../exit-code.js'
import { counted } from '../../text/counted.js'
import type { World } from '../../world.js'
import { type Configured, type CrawlerFlags, configured } from '../configured.js'
import { mindsOf, storedMinds } from '../minds.js'
import { withStore } from '../open-store.js'
import { GatheredVisits } from './gather-visits.js'
import { recordVisits } from './record-visits.js'

export interface ImportFlags extends CrawlerFlags {
  readonly format?: string
  readonly time?: string
  readonly zone?: string
  readonly strict?: boolean
}

/** Pages added in one transaction. */
const batch = 500

interface ImportResult {
  pages: number
  newPages: number
  visits: number
  /** Not after the visits that are there already, or at the time of another. */
  late: number
  /** Pages that another process was visiting. */
  busy: number
  badLines: number
}

/** `revisit import FILE`: visits made elsewhere, recorded as if they had been made here. */
export async function importCommand(
  world: World,
  { file, flags }: { file: string | undefined; flags: ImportFlags },
): Promise<number> {
  const made = await configured(world, flags)
  const now = made.crawler.clock.now()
  const settings = estimateSettings(logFlags(flags), { clock: now })
  const problems = new Problems({ strict: settings.strict })
  const without = made.config.dropTracking ? trackingParameters : undefined
  const gathered = new GatheredVisits({ now, without })
  const read = await logOf(world, { file, take: gathered.take, settings, problems })
  for (const line of problemLines(problems, read)) world.err.write(`${line}\n`)
  const result = await withStore(made, (store) => importAll(made, { store, gathered }))
  result.badLines = problems.total
  world.out.write(flags.json === true ? `${JSON.stringify(result)}\n` : text(result))
  return result.visits === 0 ? exitCode.nothingLeft : exitCode.done
}

function logFlags({ format, time, zone, strict }: ImportFlags): EstimateFlags {
  return {
    ...(format === undefined ? {} : { format }),
    ...(time === undefined ? {} : { time }),
    ...(zone === undefined ? {} : { zone }),
    ...(strict === undefined ? {} : { strict }),
  }
}

async function importAll(
  { config, crawler, world }: Configured,
  { store, gathered }: { store: Store; gathered: GatheredVisits },
): Promise<ImportResult> {
  const { collection } = config
  const now = crawler.clock.now()
  const terms = { now, ttl: HOUR, worker: `${crawler.worker}:import` }
  const parts = {
    store,
    terms,
    mindFor: mindsOf(config, await storedMinds(store, config)),
    random: new Random(world.seed),
  }
  const result = { pages: 0, newPages: 0, visits: 0, late: 0, busy: 0, badLines: 0 }
  const all = [...gathered.pages()]
  for (let i = 0; i < all.length; i += batch) {
    const some = all.slice(i, i + batch)
    const pages = some.map(({ url }) => ({ url }))
    result.newPages += (await store.addPages({ collection, pages, now })).added
    for (const { url, visits } of some) {
      const page = await store.getPage({ collection, url })
      if (page === null) continue
      const done = await recordVisits(page, visits, parts)
      result.pages++
      result.visits += done.recorded
      result.late += done.late
      if (done.busy) result.busy++
    }
  }
  return result
}

function text({ pages, newPages, visits, late, busy, badLines }: ImportResult): string {
  const parts = [`${counted(visits, 'visit')} of ${counted(pages, 'page')} (${newPages} new)`]
  if (late > 0) parts.push(`${late} left out, not being after those recorded already`)
  if (busy > 0) parts.push(`${counted(busy, 'page')} left out, being visited right now: try again`)
  if (badLines > 0) parts.push(`${counted(badLines, 'line')} skipped`)
  return `${parts.join('; ')}\n`
}
