import { normalUrl } from '../../../crawl/index.js'
import type { PriorPage } from '../../../estimate/index.js'
import { GatheredVisits, Problems } from '../../../formats/index.js'
import { historyOf } from '../../../model/index.js'
import { logOf } from '../../estimate/log.js'
import { problemLines } from '../../estimate/report.js'
import { estimateSettings } from '../../estimate/settings.js'
import type { Configured } from '../configured.js'
import type { PriorFlags } from './prior-flags.js'

/** The pages of a log of visits, as `revisit import` reads it; grouped by host. */
export async function loggedPages(
  { world, crawler }: Configured,
  { file, flags }: { readonly file: string; readonly flags: PriorFlags },
): Promise<PriorPage[]> {
  const now = crawler.clock.now()
  const { format, time, zone } = flags
  const told = {
    ...(format === undefined ? {} : { format }),
    ...(time === undefined ? {} : { time }),
    ...(zone === undefined ? {} : { zone }),
  }
  const settings = estimateSettings(told, { clock: now })
  const problems = new Problems({ strict: settings.strict })
  const gathered = new GatheredVisits({ now, address: (text) => normalUrl(text) })
  const read = await logOf(world, { file, take: gathered.take, settings, problems })
  for (const line of problemLines(problems, read)) world.err.write(`${line}\n`)
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
