import { type FoldedPage, foldedLine, foldVisits } from '../../crawler/incoming/fold-visits.js'
import { storedPlannersFor } from '../../crawler/page-planners.js'
import { Problems } from '../../formats/problems.js'
import { normalUrl, trackingParameters } from '../../formats/url.js'
import { SortedVisits } from '../../formats/visit-log/gathered-visits.js'
import { OptionError } from '../../model/errors.js'
import { openMemoryStore } from '../../store/memory/store.js'
import { isServerAddress } from '../../store/postgres/server/address.js'
import { engineLogFlags, withEngineLog } from '../bulk/engine-log.js'
import { engineOptions, engineSettings } from '../bulk/engine-options.js'
import { type FlagsOf, storeCommand } from '../command.js'
import { type Configured, configured, withStore } from '../configured.js'
import { exitCode } from '../environment.js'
import { answer } from '../text/json.js'
import { counted } from '../text/numbers.js'
import { logOf, logOptions, logSettings } from '../visit-log.js'

const foldOptions = [
  ...logOptions,
  ['--part <k/n>', 'only the pages of one part of n, such as 3/16 (default: 1/1)'],
  [
    '--output <file>',
    "where to write the states, a line a page; a name that ends in .copy makes rows (url, state) for PostgreSQL's COPY",
  ],
  ...engineOptions,
] as const

/** `revisit fold FILES --part 3/16`: what is learned from a log too large for a store, page by page. */
export const foldCommand = storeCommand({
  description:
    'Learn from the visits of many Parquet files, a line a page: what revisit import --states takes instead of the visits. Parts hold different pages, so that as many machines or shells as there are parts can work at once, in any order, each in constant memory. The planners are those of the store, or the default where there is none.',
  arguments: [['<FILES...>', 'Parquet files, folders or patterns']],
  options: foldOptions,
  async run(environment, [patterns], flags) {
    const made = await configured(environment, flags)
    const part = partOf(flags.part ?? '1/1')
    if (flags.output === undefined)
      throw new OptionError('missing-output', 'name the file to write: --output states.jsonl')
    const result = await folded(made, { patterns, part, output: flags.output, flags })
    const why = result.pages === 0 && part.of > 1 ? ' (all pages of a host are in one part)' : ''
    const text = `${counted(result.pages, 'page')} of part ${part.index + 1} of ${part.of} written to ${flags.output}${why}\n`
    answer(environment, { json: flags.json, record: result, text })
    return result.pages === 0 ? exitCode.nothingLeft : exitCode.done
  },
})

interface Part {
  readonly index: number
  readonly of: number
}

function partOf(text: string): Part {
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(text.trim()) ?? []
  const [index, parts] = [Number(part) - 1, Number(of)]
  if (index >= 0 && index < parts && parts <= 100_000) return { index, of: parts }
  throw new OptionError('bad-part', `--part takes a part of so many, such as 3/16; got "${text}"`)
}

async function folded(
  made: Configured,
  asked: {
    patterns: readonly string[]
    part: Part
    output: string
    flags: FlagsOf<typeof foldOptions>
  },
): Promise<{ part: number; of: number; pages: number; output: string }> {
  const { environment, crawler, config } = made
  const { patterns, part, output, flags } = asked
  const format = output.endsWith('.copy') ? 'copy' : 'jsonl'
  const now = crawler.clock.now()
  const plannerFor = await plannersFor(made)
  const normal = config.dropTracking ? { without: trackingParameters } : {}
  const engine = engineSettings(flags)
  const settings = { ...logSettings(flags), now }
  const address = (text: string) => normalUrl(text, normal)
  return withEngineLog(
    environment,
    { patterns, settings, engine, pages: { part }, address },
    async ({ file }) => {
      const writer = await crawler.createFile(output)
      let pages = 0
      let lines: string[] = []
      const drain = async () => {
        if (lines.length > 0) await writer.write(`${lines.join('\n')}\n`)
        lines = []
      }
      const each = (page: Parameters<typeof foldVisits>[0]) => {
        if (typeof address(page.url) !== 'string') return
        const parts = { collection: config.collection, plannerFor, now }
        const done: FoldedPage = foldVisits(page, parts)
        lines.push(foldedLine(done, format))
        pages++
      }
      try {
        const sorted = new SortedVisits({ now, each })
        const problems = new Problems()
        await logOf(
          { ...environment, out: { ...environment.out, drained: drain } },
          { file, take: sorted.take, settings: { ...settings, ...engineLogFlags }, problems },
        )
        sorted.finish()
        await drain()
        await writer.finish()
      } catch (error) {
        await writer.drop()
        throw error
      }
      return { part: part.index + 1, of: part.of, pages, output }
    },
  )
}

/** As an import into the store would plan; by default where there is no store yet. */
async function plannersFor(made: Configured) {
  const { crawler, config } = made
  if (!isServerAddress(config.database) && !crawler.exists(config.database))
    return storedPlannersFor(openMemoryStore(), config)
  return withStore(made, (store) => storedPlannersFor(store, config), { readOnly: true })
}
