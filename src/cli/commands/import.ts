import { foldedPage, importFolded } from '../../crawler/incoming/fold-visits.js'
import { type Imported, importVisits } from '../../crawler/incoming/import-visits.js'
import { storedPlannersFor } from '../../crawler/page-planners.js'
import type { GatheredVisits } from '../../formats/visit-log/gathered-visits.js'
import type { Store } from '../../model/store.js'
import { HOUR } from '../../model/units.js'
import { storeCommand } from '../command.js'
import { type Configured, configured, withStore } from '../configured.js'
import { exitCode } from '../environment.js'
import { answer } from '../text/json.js'
import { counted } from '../text/numbers.js'
import { gatheredVisits, logOptions } from '../visit-log.js'

interface ImportResult extends Imported {
  badLines: number
}

/** `revisit import FILE`: visits made elsewhere, recorded as if they had been made here. */
export const importCommand = storeCommand({
  description:
    'Record visits that were made elsewhere, from a log as revisit estimate reads it: CSV, JSON lines, CDX, CDXJ, WARC (each gzipped or not) or Parquet. Their pages are followed from now on. Visits of a page that are not after those recorded already are left out. Taken are url, at, changed (or digest), last_modified and unchanged_for; other columns, such as status and fingerprint, are not.',
  arguments: [['[FILE]', 'the log of visits; piped in without it, or with -']],
  options: [
    ...logOptions,
    ['--strict', 'stop at the first bad line'],
    ['--states <file>', 'take what revisit fold wrote; once for each part', 'again'],
  ],
  async run(environment, [file], flags) {
    const made = await configured(environment, flags)
    if (flags.states !== undefined)
      return importStates(made, { files: flags.states, json: flags.json })
    const { gathered, problems } = await gatheredVisits(made, {
      file,
      flags,
      strict: flags.strict === true,
    })
    const imported = await withStore(made, (store) => importAll(made, { store, gathered }))
    const result = { ...imported, badLines: problems.total }
    answer(environment, { json: flags.json, record: result, text: text(result) })
    return result.visits === 0 ? exitCode.nothingLeft : exitCode.done
  },
})

/** Pages as `revisit fold` left them, instead of their visits. */
async function importStates(
  made: Configured,
  { files, json }: { files: readonly string[]; json: boolean | undefined },
): Promise<number> {
  const { environment } = made
  async function* folded() {
    for (const path of files) {
      const { chunks } = await environment.open(path)
      let line = 0
      for await (const text of textLines(chunks)) yield foldedPage(text, `${path}, line ${++line}`)
    }
  }
  // Read before a store is begun: files that are none leave no empty one behind.
  const rest = folded()
  const first = await rest.next()
  async function* pages() {
    if (first.done !== true) yield first.value
    yield* rest
  }
  const imported = await withStore(made, async (store) =>
    importFolded(pages(), await importParts(made, store)),
  )
  const result = { ...imported, badLines: 0 }
  answer(environment, { json, record: result, text: text(result) })
  return result.pages === 0 ? exitCode.nothingLeft : exitCode.done
}

/** Lines that are not empty. */
async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) if (line !== '') yield line
  }
  if (rest.trim() !== '') yield rest
}

async function importParts({ config, crawler }: Configured, store: Store) {
  const now = crawler.clock.now()
  const terms = { now, ttl: HOUR, worker: `${crawler.worker}:import` }
  const { collection } = config
  const plannerFor = await storedPlannersFor(store, config)
  return { store, collection, terms, plannerFor }
}

async function importAll(
  made: Configured,
  { store, gathered }: { store: Store; gathered: GatheredVisits },
): Promise<Imported> {
  return importVisits(gathered.pages(), await importParts(made, store))
}

function text({ pages, newPages, visits, late, busy, badLines }: ImportResult): string {
  const parts = [`${counted(visits, 'visit')} of ${counted(pages, 'page')} (${newPages} new)`]
  if (late > 0) parts.push(`${late} left out, not being after those recorded already`)
  if (busy > 0) parts.push(`${counted(busy, 'page')} left out, being visited right now: try again`)
  if (badLines > 0) parts.push(`${counted(badLines, 'line')} skipped`)
  return `${parts.join('; ')}\n`
}
