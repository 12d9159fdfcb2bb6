import {
  csvHead,
  csvRow,
  jsonRow,
  type VisitSpan,
  visitStretches,
  writeWarc,
} from '../../../formats/index.js'
import { type FileStore, OptionError } from '../../../model/index.js'
import { exitCode } from '../../exit-code.js'
import { counted } from '../../text/counted.js'
import type { World } from '../../world.js'
import { type Configured, type CrawlerFlags, configured } from '../configured.js'
import { withStore } from '../open-store.js'
import { dateRange } from '../pages/history-command.js'
import { capturesOf } from './captures.js'
import { exportFolder } from './export-folder.js'
import { writePieces } from './write-pieces.js'

export const exportFormats = ['csv', 'jsonl', 'warc', 'folder'] as const
export type ExportFormat = (typeof exportFormats)[number]

export interface ExportFlags extends CrawlerFlags {
  readonly format?: string
  readonly from?: string
  readonly until?: string
}

/** What an export writes, piece by piece; `items` counts what it is about. */
interface Pieces {
  readonly pieces: AsyncIterable<string | Uint8Array>
  readonly noun: 'visit' | 'record'
  items: number
}

/** `revisit export [FILE]`: visits as CSV or JSON lines, an archive, or a folder of copies. */
export async function exportCommand(
  world: World,
  { to, flags }: { to: string | undefined; flags: ExportFlags },
): Promise<number> {
  const made = await configured(world, flags)
  const format = formatOf(to, flags.format)
  const span = {
    collection: made.config.collection,
    ...dateRange({ from: flags.from, until: flags.until }),
  }
  return withStore(
    made,
    async (store) => {
      if (format === 'folder') return toFolder(made, { store, folder: to, flags })
      const written =
        format === 'warc' ? archive(made, { store, span }) : log(format, { store, span })
      const bytes = await writePieces(made, { pieces: written.pieces, to })
      const { items, noun } = written
      // An export on standard output has that for itself, also with --json.
      if (flags.json === true && bytes !== null)
        world.out.write(`${JSON.stringify({ file: to, format, [`${noun}s`]: items, bytes })}\n`)
      else world.err.write(`${counted(items, noun)} written\n`)
      return exitCode.done
    },
    { readOnly: true },
  )
}

function formatOf(to: string | undefined, given: string | undefined): ExportFormat {
  const found = exportFormats.find((each) => each === given)
  if (found !== undefined) return found
  if (given !== undefined)
    throw new OptionError(
      'bad-format',
      `--format takes ${exportFormats.join(', ')}; got "${given}"`,
    )
  const ending = /\.(csv|jsonl|ndjson|warc)(\.gz)?$/i.exec(to ?? '')?.[1]?.toLowerCase()
  if (ending === 'ndjson') return 'jsonl'
  if (ending !== undefined) return ending as ExportFormat
  throw new OptionError(
    'no-format',
    'say what to write: --format csv, jsonl, warc or folder; or name a file that ends in .csv, .jsonl or .warc, with .gz to gzip it',
  )
}

async function toFolder(
  made: Configured,
  { store, folder, flags }: { store: FileStore; folder: string | undefined; flags: ExportFlags },
): Promise<number> {
  if (folder === undefined || folder === '-')
    throw new OptionError(
      'no-folder',
      'name the folder to write to: revisit export FOLDER --format folder',
    )
  const { copies, bytes } = await exportFolder(made, { store, folder })
  const { out, err } = made.world
  if (flags.json === true)
    out.write(`${JSON.stringify({ file: folder, format: 'folder', copies, bytes })}\n`)
  else err.write(`${counted(copies, 'copy')} written; begin at ${folder}/index.html\n`)
  return exitCode.done
}

function log(
  format: 'csv' | 'jsonl',
  { store, span }: { store: FileStore; span: VisitSpan },
): Pieces {
  const made: Pieces = { pieces: rows(), noun: 'visit', items: 0 }
  async function* rows() {
    if (format === 'csv') yield csvHead
    for await (const visits of visitStretches(store, span)) {
      made.items += visits.length
      yield visits.map(format === 'csv' ? csvRow : jsonRow).join('')
    }
  }
  return made
}

function archive(
  { world, crawler }: Configured,
  { store, span }: { store: FileStore; span: VisitSpan },
): Pieces {
  const software = `Revisit/${world.version}`
  const made: Pieces = {
    pieces: writeWarc(counting(), { software, at: crawler.clock.now(), gzip: false }),
    noun: 'record',
    items: 0,
  }
  async function* counting() {
    for await (const capture of capturesOf(store, span)) {
      made.items++
      yield capture
    }
  }
  return made
}
