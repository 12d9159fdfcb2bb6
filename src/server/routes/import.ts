import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { VisitFormat } from '../../formats/index.js'
import { wrongType } from '../api-error.js'
import type { App } from '../app.js'
import { importLog } from '../import-log.js'
import { importPages } from '../import-pages.js'
import { Count, refusals } from '../schema/words.js'
import type { ServiceParts } from '../service-parts.js'

/** What each type of content is read as. No page elsewhere may send these without being asked back. */
const logTypes: Readonly<Record<string, VisitFormat>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
}
const listTypes = ['application/x-ndjson', 'application/jsonl', 'text/uri-list'] as const

/** Streams are not held whole: they may be longer than other bodies. */
const bodyLimit = 1024 ** 3

const problem = {
  line: Count,
  code: Type.String(),
  message: Type.String(),
}
const LogAnswer = Type.Object({
  pages: Count,
  newPages: Count,
  visits: Count,
  late: Count,
  busy: Count,
  badLines: Count,
  problems: Type.Array(Type.Object(problem)),
})
const PagesAnswer = Type.Object({
  added: Count,
  already: Count,
  refused: Count,
  problems: Type.Array(Type.Object({ ...problem, url: Type.String() })),
})

/** Logs of visits and lists of pages, taken in as they come. */
export function importRoutes(app: App, parts: ServiceParts): void {
  const tags = ['transfer']
  const types = [...new Set([...Object.keys(logTypes), ...listTypes])]
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
        response: { 200: LogAnswer, ...refusals },
      },
    },
    async ({ body, headers }) => {
      const format = logTypes[typeOf(headers['content-type'])]
      if (format === undefined) throw wrongType(Object.keys(logTypes))
      const { problems, ...imported } = await importLog(body as Readable, { format, parts })
      return { ...imported, problems: [...problems] }
    },
  )

  app.post(
    '/api/import/pages',
    {
      bodyLimit,
      schema: {
        operationId: 'importPages',
        summary: 'Follow pages from lines: an address each, or JSON as the export writes it',
        tags,
        body: streamed(listTypes),
        response: { 200: PagesAnswer, ...refusals },
      },
    },
    async ({ body, headers }) => {
      if (!listTypes.some((type) => type === typeOf(headers['content-type'])))
        throw wrongType(listTypes)
      return importPages(body as Readable, parts)
    },
  )
}

/** Says which types are taken; the stream itself has nothing to check. */
function streamed(types: readonly string[]) {
  const schema = Type.Unsafe<Readable>({ description: 'lines' })
  return { content: Object.fromEntries(types.map((type) => [type, { schema }])) }
}

function typeOf(header: string | undefined): string {
  return (header ?? '').split(';')[0]!.trim().toLowerCase()
}
