import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { withoutPicture } from '../../content/kept-picture.js'
import { readContent } from '../../content/read-content.js'
import { escaped } from '../../formats/printable-text.js'
import {
  csvHead,
  csvRow,
  jsonRow,
  type VisitSpan,
  visitStretches,
} from '../../formats/visit-log/write-visits.js'
import { type Capture, payloadDigest, writeWarc } from '../../formats/write-warc.js'
import { htmlDocument } from '../../lab/report/html-document.js'
import { humanTime } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import { given } from '../../model/given.js'
import type { PageRecord } from '../../model/page.js'
import { keptContent, type Store, type Version } from '../../model/store.js'
import type { VisitRecord } from '../../model/visit-record.js'
import { storeCommand } from '../command.js'
import { type Configured, configured, withStore } from '../configured.js'
import { exitCode } from '../environment.js'
import { listed } from '../page-selection.js'
import { jsonText } from '../text/json.js'
import { counted, humanBytes } from '../text/numbers.js'
import { parseDate } from '../text/time.js'

/**
 * The visits of a collection as an archive keeps them, page by page: a
 * response for each copy that is kept, and a revisit for each visit that found
 * it unchanged. What followed a copy that was let go has nothing to refer to,
 * and is left out; so are visits that saw nothing.
 */
async function* capturesOf(
  store: Store,
  { collection, from = -Infinity, until = Infinity }: CaptureSpan,
): AsyncGenerator<Capture> {
  for await (const page of listed(store, { filter: { collection } }))
    for await (const capture of pageCaptures(store, page))
      if (capture.at >= from && capture.at < until) yield capture
}

interface CaptureSpan {
  readonly collection: string
  readonly from?: number
  readonly until?: number
}

async function* pageCaptures(store: Store, page: PageRecord): AsyncGenerator<Capture> {
  const versions = new Map((await store.versionsOf(page)).map((each) => [each.at, each]))
  let current: { at: number; digest: string } | undefined
  for (const visit of await store.visitsOf(page)) {
    if (visit.outcome === 'unchanged') {
      if (current !== undefined) yield revisitOf(page, { visit, of: current })
      continue
    }
    if (visit.outcome !== 'first' && visit.outcome !== 'changed') continue
    const content = await copyOf(versions.get(visit.at), store)
    if (content === null) {
      // Let go; but a visit that began anew and found the copy as it was made no version either.
      if (visit.outcome === 'changed') current = undefined
      continue
    }
    current = { at: visit.at, digest: payloadDigest(content.body) }
    yield responseOf(page, { visit, ...content })
  }
}

/** A version as it was sent: the picture kept beside it is left out. */
async function copyOf(version: Version | undefined, store: Store) {
  const kept = await keptContent(store, version)
  return kept === null ? null : { ...kept, body: withoutPicture(kept.body) }
}

function responseOf(
  { url }: PageRecord,
  { visit, version, body }: { visit: VisitRecord; version: Version; body: Uint8Array },
): Capture {
  const type = version.mediaType
  const headers = version.headers ?? (type === null ? {} : { 'content-type': type })
  return { url, at: visit.at, status: visit.status ?? 200, headers, body }
}

/** A 304 is the server's word; otherwise only the text is known to be the same. */
function revisitOf(
  { url }: PageRecord,
  { visit, of }: { visit: VisitRecord; of: { at: number; digest: string } },
): Capture {
  const because = visit.status === 304 ? 'not-modified' : 'same-text'
  const status = visit.status ?? 200
  return {
    url,
    at: visit.at,
    status,
    headers: {},
    body: null,
    revisit: { of: { url, ...of }, because },
  }
}

const endings: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(text\/html|application\/xhtml\+xml)\b/i, '.html'],
  [/^text\/plain\b/i, '.txt'],
  [/^text\/css\b/i, '.css'],
  [/^text\/csv\b/i, '.csv'],
  [/^(text|application)\/(x-)?(java|ecma)script\b/i, '.js'],
  [/[/+]json\b/i, '.json'],
  [/[/+]xml\b/i, '.xml'],
  [/^application\/pdf\b/i, '.pdf'],
  [/^image\/png\b/i, '.png'],
  [/^image\/jpeg\b/i, '.jpg'],
  [/^image\/gif\b/i, '.gif'],
  [/^image\/svg/i, '.svg'],
]

/** File systems allow 255 bytes a name. */
const longestName = 100
/** Systems allow 260 (Windows) to 4,096 a path, of which the folder that is written to takes some. */
const longestPath = 200

/**
 * Paths for copies of pages, below a folder: `host/path/page.html`. No two are
 * the same, also where upper and lower case are one, none leaves the folder,
 * and all names are letters, digits and a few signs.
 */
export class CopyPaths {
  readonly #taken = new Set<string>()

  pathOf(url: string, mediaType: string | null): string {
    const { host, pathname, search } = new URL(url)
    const segments = pathname.split('/').slice(1).map(safeName)
    const last = segments.pop() ?? ''
    const ending = endings.find(([pattern]) => pattern.test(mediaType ?? ''))?.[1] ?? ''
    const named = last === '' ? 'index' : last
    const base =
      ending !== '' && named.toLowerCase().endsWith(ending) ? named.slice(0, -ending.length) : named
    const query = search === '' ? '' : `-${digest(search)}`
    const folder = [safeName(host), ...segments.map((each) => each || '_')].join('/')
    return this.#free(`${folder}/${base}${query}`, { ending, url })
  }

  /** A path that is too long, that another has, or that needs a folder where a file is gives way to one by digest. */
  #free(path: string, { ending, url }: { ending: string; url: string }): string {
    const named = path + ending
    const fits = named.length <= longestPath && !this.#isTaken(named)
    const whole = fits ? named : `_other/${digest(url)}${ending}`
    this.#take(whole)
    return whole
  }

  #isTaken(path: string): boolean {
    const key = path.toLowerCase()
    return this.#taken.has(key) || this.#taken.has(`${key}/`) || this.#hasFileAbove(key)
  }

  #hasFileAbove(key: string): boolean {
    const parts = key.split('/')
    return parts.some((_, i) => i > 0 && this.#taken.has(parts.slice(0, i).join('/')))
  }

  #take(path: string): void {
    const parts = path.toLowerCase().split('/')
    this.#taken.add(parts.join('/'))
    for (let i = 1; i < parts.length; i++) this.#taken.add(`${parts.slice(0, i).join('/')}/`)
  }
}

/** Dots at the start would hide a file or climb out; names of Windows devices are avoided too. */
function safeName(text: string): string {
  const safe = text.replace(/[^\w.~@+-]/g, '_').replace(/^\.+/, '_')
  const plain = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(safe) ? `_${safe}` : safe
  return plain.length <= longestName ? plain : `${plain.slice(0, longestName - 11)}-${digest(text)}`
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10)
}

interface Copy {
  readonly page: PageRecord
  readonly version: Version
  readonly path: string
  readonly title: string | null
}

/** Writes the newest copy of each page below a folder, and an index.html that leads to them; tells how much. */
async function exportFolder(
  { environment, crawler, config }: Configured,
  { store, folder }: { readonly store: Store; readonly folder: string },
): Promise<{ readonly copies: number; readonly bytes: number }> {
  const paths = new CopyPaths()
  const copies: Copy[] = []
  let bytes = 0
  for await (const page of listed(store, {
    filter: { collection: config.collection },
    sort: 'url',
  })) {
    const copy = await copyOf((await store.versionsOf(page)).at(-1), store)
    if (copy === null) continue
    const { version, body } = copy
    const path = paths.pathOf(page.url, version.mediaType)
    await environment.makeFolder(dirname(join(folder, path)))
    const file = await crawler.createFile(join(folder, path))
    await file.write(body)
    await file.finish()
    bytes += body.length
    copies.push({ page, version, path, title: titleOf(page.url, { version, body }) })
  }
  await environment.makeFolder(folder)
  const index = indexPage(copies)
  await environment.save(join(folder, 'index.html'), index)
  return { copies: copies.length, bytes: bytes + Buffer.byteLength(index) }
}

function titleOf(
  url: string,
  { version, body }: { version: Version; body: Uint8Array },
): string | null {
  const headers: Record<string, string> =
    version.mediaType === null ? {} : { 'content-type': version.mediaType }
  const { at } = version
  return readContent({ kind: 'content', status: 200, at, url, headers, body, bytesReceived: 0 })
    .title
}

function indexPage(copies: readonly Copy[]): string {
  const rows = copies.map(
    ({ page, version, path, title }) =>
      `<tr><td><a href="${escaped(encodeURI(path))}">${escaped(title ?? page.url)}</a></td><td>${escaped(page.url)}</td><td>${humanTime(version.at)}</td><td>${page.lastVisit === null ? '' : humanTime(page.lastVisit.at)}</td><td>${humanBytes(version.bytes)}</td></tr>`,
  )
  const head =
    '<tr><th>page</th><th>address</th><th>as of</th><th>last visit</th><th>size</th></tr>'
  const body = `<h1>Copies of ${copies.length} pages</h1>\n<table>\n<thead>${head}</thead>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>`
  return htmlDocument({ title: 'Copies of pages', body })
}

/**
 * Writes an export piece by piece, to a file or to standard output; tells the
 * bytes of the file, and null where there is none.
 */
async function writePieces(
  { crawler, environment }: Configured,
  {
    pieces,
    to,
  }: {
    readonly pieces: AsyncIterable<string | Uint8Array>
    readonly to: string | undefined
  },
): Promise<number | null> {
  if (to === undefined || to === '-') {
    for await (const piece of pieces) {
      if (typeof piece === 'string') environment.out.write(piece)
      else
        throw new OptionError(
          'no-file',
          'an archive is written to a file; name one, such as pages.warc.gz',
        )
      await environment.out.drained()
    }
    return null
  }
  const pack = /\.gz$/i.test(to)
  const file = await crawler.createFile(to)
  let bytes = 0
  try {
    // Members of gzip one after the other are one gzip file (RFC 1952, 2.2); a record of an
    // archive is one piece, so that readers can jump to it.
    for await (const piece of pieces) {
      const written = pack ? gzipSync(piece) : piece
      bytes += Buffer.byteLength(written)
      await file.write(written)
    }
    await file.finish()
  } catch (error) {
    await file.drop()
    throw error
  }
  return bytes
}

const exportFormats = ['csv', 'jsonl', 'warc', 'folder'] as const
type ExportFormat = (typeof exportFormats)[number]

const options = [
  [
    '-f, --format <name>',
    'csv, jsonl, warc or folder; by the ending of the file, gzipped if that is .gz',
  ],
  ['--from <date>', 'only visits from this date on', parseDate],
  ['--until <date>', 'only visits before this date', parseDate],
] as const

/** What an export writes, piece by piece; `items` counts what it is about. */
interface Pieces {
  readonly pieces: AsyncIterable<string | Uint8Array>
  readonly noun: 'visit' | 'record'
  items: number
}

/** `revisit export [FILE]`: visits as CSV or JSON lines, an archive, or a folder of copies. */
export const exportCommand = storeCommand({
  description:
    'Write what is kept: visits as CSV or JSON lines (which revisit estimate and import read); a WARC archive with a response for each copy and a revisit record for each visit that found it unchanged; or a folder of the newest copies with an index.html. CSV and JSON lines go to standard output without TO, which then holds nothing else; with TO, --json prints there what was written: file, format, how many visits, records or copies, and bytes. An older export gives way; a database never does.',
  arguments: [['[TO]', 'a file, or for folder a folder']],
  options,
  async run(environment, [to], flags) {
    const made = await configured(environment, flags)
    const format = formatOf(to, flags.format)
    const { from, until } = flags
    const span = { collection: made.config.collection, ...given({ from, until }) }
    const json = flags.json === true
    const write = async (store: Store) => {
      if (format === 'folder') return toFolder(made, { store, folder: to, json })
      const written =
        format === 'warc' ? archive(made, { store, span }) : log(format, { store, span })
      const bytes = await writePieces(made, { pieces: written.pieces, to })
      const { items, noun } = written
      // An export on standard output has that for itself, also with --json.
      if (json && bytes !== null)
        environment.out.write(jsonText({ file: to, format, [`${noun}s`]: items, bytes }))
      else environment.err.write(`${counted(items, noun)} written\n`)
      return exitCode.done
    }
    return withStore(made, write, { readOnly: true })
  },
})

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
  { store, folder, json }: { store: Store; folder: string | undefined; json: boolean },
): Promise<number> {
  if (folder === undefined || folder === '-')
    throw new OptionError(
      'no-folder',
      'name the folder to write to: revisit export FOLDER --format folder',
    )
  const { copies, bytes } = await exportFolder(made, { store, folder })
  const { out, err } = made.environment
  if (json) out.write(jsonText({ file: folder, format: 'folder', copies, bytes }))
  else err.write(`${counted(copies, 'copy')} written; begin at ${folder}/index.html\n`)
  return exitCode.done
}

function log(format: 'csv' | 'jsonl', { store, span }: { store: Store; span: VisitSpan }): Pieces {
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
  { environment, crawler }: Configured,
  { store, span }: { store: Store; span: VisitSpan },
): Pieces {
  const software = `Revisit/${environment.version}`
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
