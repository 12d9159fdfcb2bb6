import { type Imported, importVisits } from '../../crawler/import-visits.js'
import { plannersOf, storedPlanners } from '../../crawler/page-planners.js'
import { Problems } from '../../formats/problems.js'
import { normalUrl, trackingParameters } from '../../formats/url.js'
import { GatheredVisits } from '../../formats/visit-log/gathered-visits.js'
import type { Store } from '../../model/store.js'
import { HOUR } from '../../model/units.js'
import { Random } from '../../numeric/random.js'
import { type Configured, type CrawlerFlags, configured, withStore } from '../configured.js'
import { type Environment, exitCode } from '../environment.js'
import { counted } from '../text/numbers.js'
import { logOf, problemLines } from '../visit-log.js'
import { type EstimateFlags, estimateSettings } from './estimate/options.js'

export interface ImportFlags extends CrawlerFlags {
  readonly format?: string
  readonly time?: string
  readonly zone?: string
  readonly strict?: boolean
}

interface ImportResult extends Imported {
  badLines: number
}

/** `revisit import FILE`: visits made elsewhere, recorded as if they had been made here. */
export async function importCommand(
  environment: Environment,
  { file, flags }: { file: string | undefined; flags: ImportFlags },
): Promise<number> {
  const made = await configured(environment, flags)
  const now = made.crawler.clock.now()
  const settings = estimateSettings(logFlags(flags), { clock: now })
  const problems = new Problems({ strict: settings.strict })
  const normal = made.config.dropTracking ? { without: trackingParameters } : {}
  const address = (text: string) => normalUrl(text, normal)
  const gathered = new GatheredVisits({ now, address })
  const read = await logOf(environment, { file, take: gathered.take, settings, problems })
  for (const line of problemLines(problems, read)) environment.err.write(`${line}\n`)
  const imported = await withStore(made, (store) => importAll(made, { store, gathered }))
  const result = { ...imported, badLines: problems.total }
  environment.out.write(flags.json === true ? `${JSON.stringify(result)}\n` : text(result))
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
  { config, crawler, environment }: Configured,
  { store, gathered }: { store: Store; gathered: GatheredVisits },
): Promise<Imported> {
  const now = crawler.clock.now()
  const terms = { now, ttl: HOUR, worker: `${crawler.worker}:import` }
  const { collection } = config
  const random = new Random(environment.seed)
  const plannerFor = plannersOf(config, await storedPlanners(store, config))
  const parts = { store, collection, terms, plannerFor, random }
  return importVisits(gathered.pages(), parts)
}

function text({ pages, newPages, visits, late, busy, badLines }: ImportResult): string {
  const parts = [`${counted(visits, 'visit')} of ${counted(pages, 'page')} (${newPages} new)`]
  if (late > 0) parts.push(`${late} left out, not being after those recorded already`)
  if (busy > 0) parts.push(`${counted(busy, 'page')} left out, being visited right now: try again`)
  if (badLines > 0) parts.push(`${counted(badLines, 'line')} skipped`)
  return `${parts.join('; ')}\n`
}
