import { normalUrl, trackingParameters } from '../../../crawl/index.js'
import { type Imported, importVisits } from '../../../engine/index.js'
import { GatheredVisits, Problems } from '../../../formats/index.js'
import { HOUR, type Store } from '../../../model/index.js'
import { Random } from '../../../numeric/index.js'
import { logOf } from '../../estimate/log.js'
import { problemLines } from '../../estimate/report.js'
import { type EstimateFlags, estimateSettings } from '../../estimate/settings.js'
import { exitCode } from '../../exit-code.js'
import { counted } from '../../text/counted.js'
import type { World } from '../../world.js'
import { type Configured, type CrawlerFlags, configured } from '../configured.js'
import { mindsOf } from '../minds.js'
import { withStore } from '../open-store.js'

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
  world: World,
  { file, flags }: { file: string | undefined; flags: ImportFlags },
): Promise<number> {
  const made = await configured(world, flags)
  const now = made.crawler.clock.now()
  const settings = estimateSettings(logFlags(flags), { clock: now })
  const problems = new Problems({ strict: settings.strict })
  const normal = made.config.dropTracking ? { without: trackingParameters } : {}
  const address = (text: string) => normalUrl(text, normal)
  const gathered = new GatheredVisits({ now, address })
  const read = await logOf(world, { file, take: gathered.take, settings, problems })
  for (const line of problemLines(problems, read)) world.err.write(`${line}\n`)
  const imported = await withStore(made, (store) => importAll(made, { store, gathered }))
  const result = { ...imported, badLines: problems.total }
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

function importAll(
  { config, crawler, world }: Configured,
  { store, gathered }: { store: Store; gathered: GatheredVisits },
): Promise<Imported> {
  const now = crawler.clock.now()
  const terms = { now, ttl: HOUR, worker: `${crawler.worker}:import` }
  const { collection } = config
  const random = new Random(world.seed)
  const parts = { store, collection, terms, mindFor: mindsOf(config), random }
  return importVisits(gathered.pages(), parts)
}

function text({ pages, newPages, visits, late, busy, badLines }: ImportResult): string {
  const parts = [`${counted(visits, 'visit')} of ${counted(pages, 'page')} (${newPages} new)`]
  if (late > 0) parts.push(`${late} left out, not being after those recorded already`)
  if (busy > 0) parts.push(`${counted(busy, 'page')} left out, being visited right now: try again`)
  if (badLines > 0) parts.push(`${counted(badLines, 'line')} skipped`)
  return `${parts.join('; ')}\n`
}
