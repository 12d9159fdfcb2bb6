/** /api/import: logs of visits and lists of pages, taken in as streams. */

import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { carriedPages } from '../../crawler/incoming/carried-pages.js'
import { importVisits } from '../../crawler/incoming/import-visits.js'
import { pausedThere, setWanted } from '../../crawler/incoming/wanted-settings.js'
import type { Chunks } from '../../formats/bytes/gunzip.js'
import { readPageList } from '../../formats/page-lists/read-page-list.js'
import { Problems, type Refusal, refusal } from '../../formats/problems.js'
import { GatheredVisits } from '../../formats/visit-log/gathered-visits.js'
import { readVisits, type VisitFormat } from '../../formats/visit-log/read-visits.js'
import { RevisitError } from '../../model/errors.js'
import type { NewPage } from '../../model/page.js'
import { HOUR } from '../../model/units.js'
import { ApiError, invalidDetails, invalidText, wrongType } from '../errors.js'
import { type Answer, Count, refusals, type Static } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { NewPageBody } from './page-schema.js'
import { newPages, type RefusedPage } from './pages.js'

/** A line may be as long as the longest address with its settings. */
const longestLine = 100_000

/** The lines of a stream of bytes, without their ends. */
async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split(/\r\n|\n/)
    rest = lines.pop()!
    if (rest.length > longestLine)
      throw new ApiError(400, 'line-too-long', `a line has more than ${longestLine} letters`)
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}

const problem = {
  line: Count,
  code: Type.String(),
  message: Type.String(),
}
export const ImportedVisitsAnswer = Type.Object({
  pages: Count,
  newPages: Count,
  visits: Count,
  late: Count,
  busy: Count,
  badLines: Count,
  problems: Type.Array(Type.Object(problem), { description: 'the first of the bad lines' }),
})
export type ImportedVisitsAnswer = Answer<typeof ImportedVisitsAnswer>
export const ImportedPagesAnswer = Type.Object({
  added: Count,
  already: Count,
  changed: Type.Optional(
    Type.Integer({ minimum: 0, description: 'of those that were there, how many a list set anew' }),
  ),
  refused: Count,
  problems: Type.Array(Type.Object({ ...problem, url: Type.String() })),
  from: Type.Optional(Type.String({ description: 'which program the list is of' })),
  left: Type.Optional(
    Type.Array(Type.Object({ entry: Type.String(), what: Type.String() }), {
      description: 'what could not be carried over; the first thousand',
    }),
  ),
})
type ImportedPages = Static<typeof ImportedPagesAnswer>

type Asked = Static<typeof NewPageBody>

/** Pages added in one transaction. */
const batch = 1000
/** Refusals that are given one by one. */
const mostProblems = 100
/** The same of what could not be carried over. */
const mostLeft = 1000

const page = Compile(NewPageBody)

/** Follows pages from lines: an address each, or a JSON object as `GET /api/export/pages` writes it. */
async function importPages(
  chunks: AsyncIterable<Uint8Array>,
  parts: ServiceParts,
): Promise<ImportedPages> {
  const result: ImportedPages = { added: 0, already: 0, refused: 0, problems: [] }
  let waiting: Asked[] = []
  let line = 0
  for await (const text of textLines(chunks)) {
    line++
    if (text.trim() === '' || text.startsWith('#')) continue
    const { asked, refused } = read(text, parts)
    if (refused === undefined) waiting.push(asked)
    else if (++result.refused <= mostProblems) result.problems.push({ ...refused, line })
    if (waiting.length < batch) continue
    await add(newPages(waiting, parts).pages, { parts, result })
    waiting = []
  }
  await add(newPages(waiting, parts).pages, { parts, result })
  return result
}

/** Follows the pages of a list with settings of their own; what could not be carried over is listed. */
async function importList(body: Readable, parts: ServiceParts): Promise<ImportedPages> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostWhole) throw new ApiError(413, 'too-large', 'a list of 64 MiB at most is taken')
    chunks.push(chunk)
  }
  const list = readPageList(Buffer.concat(chunks))
  if (list === null)
    throw new ApiError(
      400,
      'no-list',
      'this is no list of pages; it may be urls.yaml of urlwatch, url-watches.json or the backup of changedetection.io, bookmarks, or a pages file',
    )
  const { pages, left } = carriedPages(list)
  const result: ImportedPages = { added: 0, already: 0, refused: 0, problems: [] }
  const fit: NewPage[] = []
  for (const { paused = false, ...wanted } of pages) {
    const {
      pages: [fits],
      refused: [refused],
    } = page.Check(wanted)
      ? newPages([wanted], parts)
      : { pages: [], refused: [badLine(wanted.url, whyNot(wanted)).refused] }
    if (fits !== undefined) fit.push({ ...fits, ...(paused ? { due: pausedThere } : {}) })
    else if (++result.refused <= mostProblems) result.problems.push({ ...refused!, line: 0 })
  }
  for (let i = 0; i < fit.length; i += batch) await add(fit.slice(i, i + batch), { parts, result })
  const changed = await setWanted(fit, parts)
  return { ...result, changed, from: list.kind, left: [...left.slice(0, mostLeft)] }
}

function read(
  text: string,
  parts: ServiceParts,
): { asked: Asked; refused?: undefined } | { asked?: undefined; refused: RefusedPage } {
  const asked = text.trimStart().startsWith('{') ? parsed(text) : { url: text.trim() }
  if (asked === undefined) return badLine(text, 'this line is neither an address nor JSON')
  if (!page.Check(asked)) return badLine(text, whyNot(asked))
  const [refused] = newPages([asked], parts).refused
  return refused === undefined ? { asked } : { refused }
}

function badLine(text: string, message: string): { refused: RefusedPage } {
  return { refused: { url: text.slice(0, 200), code: 'bad-line', message } }
}

function whyNot(asked: unknown): string {
  return `this line is no page: ${invalidText(invalidDetails(page.Errors(asked), NewPageBody))}`
}

/** What an export has beside what a new page may have is left out; hidden headers too. */
function parsed(text: string): unknown {
  try {
    const { url, group, tags, importance, settings } = JSON.parse(text) as Record<string, unknown>
    const { headers: _, ...others } = (settings ?? {}) as Record<string, unknown>
    const all = { url, group, tags, importance, settings: others }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  } catch {
    return undefined
  }
}

async function add(
  pages: readonly NewPage[],
  { parts, result }: { parts: ServiceParts; result: ImportedPages },
): Promise<void> {
  if (pages.length === 0) return
  const { store, collection, clock } = parts
  const { added, already } = await store.addPages({ collection, pages, now: clock.now() })
  result.added += added
  result.already += already
}

/** All visits of a log are held at once, some 200 bytes each: a gzipped stream could be endless. */
const mostVisits = 1_000_000

/** Records visits that were made elsewhere, from a log as `revisit import` reads it. */
async function importLog(
  chunks: Chunks,
  { format, parts }: { format: VisitFormat | undefined; parts: ServiceParts },
): Promise<ImportedVisitsAnswer> {
  const { store, collection, clock, plannerFor, feed } = parts
  const now = clock.now()
  const problems = new Problems()
  const gathered = new GatheredVisits({ now, address: (text) => addressIn(text, parts) })
  let visits = 0
  const take: typeof gathered.take = (line) => {
    if (++visits > mostVisits) throw tooMany()
    return gathered.take(line)
  }
  await readVisits(chunks, take, { format, problems, now })
  const terms = { now, ttl: HOUR, worker: 'outside:import' }
  const imported = await importVisits(gathered.pages(), {
    store,
    collection,
    terms,
    plannerFor,
  })
  feed.nudge()
  return { ...imported, badLines: problems.total, problems: problems.first }
}

function addressIn(text: string, { addresses }: ServiceParts): string | Refusal {
  try {
    return addresses.loggedAddress(text)
  } catch (error) {
    if (!(error instanceof RevisitError)) throw error
    return refusal(error.code, () => error.message)
  }
}

function tooMany(): ApiError {
  return new ApiError(413, 'too-large', `a log of more than ${mostVisits} visits is taken in parts`)
}

/** What each type of content is read as. No page elsewhere may send these without being asked back. */
const logTypes: Readonly<Record<string, VisitFormat>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
}
const listTypes = ['application/x-ndjson', 'application/jsonl', 'text/uri-list'] as const
/** Lists of other programs, and pages files: read whole. */
const wholeTypes = ['application/yaml', 'application/json', 'application/zip', 'text/html'] as const
const mostWhole = 64 * 1024 * 1024

/** Streams are not held whole: they may be longer than other bodies. */
const bodyLimit = 1024 ** 3

/** Logs of visits and lists of pages, taken in as they come. */
export function importRoutes(app: App, parts: ServiceParts): void {
  const tags = ['transfer']
  const types = [...new Set([...Object.keys(logTypes), ...listTypes, ...wholeTypes])]
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(types, (_, payload, done) => done(null, payload))

  app.post(
    '/api/import/visits',
    {
      bodyLimit,
      schema: {
        operationId: 'importVisits',
        summary: 'Record visits that were made elsewhere: CSV or JSON lines, gzipped or not',
        tags,
        body: streamed(Object.keys(logTypes)),
        response: { 200: ImportedVisitsAnswer, ...refusals },
      },
    },
    async ({ body, headers }) => {
      const format = logTypes[typeOf(headers['content-type'])]
      if (format === undefined) throw wrongType(Object.keys(logTypes))
      return importLog(streamIn(body), { format, parts })
    },
  )

  app.post(
    '/api/import/pages',
    {
      bodyLimit,
      schema: {
        operationId: 'importPages',
        summary:
          'Follow pages from lines (an address each, or JSON as the export writes it), or from a list of another program: urlwatch, changedetection.io, bookmarks, a pages file',
        tags,
        body: streamed([...listTypes, ...wholeTypes]),
        response: { 200: ImportedPagesAnswer, ...refusals },
      },
    },
    async ({ body, headers }) => {
      const sent = typeOf(headers['content-type'])
      if (wholeTypes.some((type) => type === sent)) return importList(streamIn(body), parts)
      if (!listTypes.some((type) => type === sent)) throw wrongType([...listTypes, ...wholeTypes])
      return importPages(streamIn(body), parts)
    },
  )
}

/** Says which types are taken; the stream itself has nothing to check. */
function streamed(types: readonly string[]) {
  const schema = Type.Unsafe<Readable>({ description: 'lines' })
  return { content: Object.fromEntries(types.map((type) => [type, { schema }])) }
}

/** The parser of these types hands the stream on as it is. */
function streamIn(body: unknown): Readable {
  if (body instanceof Readable) return body
  throw new TypeError('a body was read before it was imported')
}

function typeOf(header: string | undefined): string {
  return (header ?? '').split(';')[0]!.trim().toLowerCase()
}
