import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { Type } from 'typebox'
import {
  csvHead,
  csvRow,
  jsonRow,
  type VisitSpan,
  visitStretches,
} from '../../formats/visit-log/write-visits.js'
import { given } from '../../model/given.js'
import type { Store } from '../../model/store.js'
import { exactly, oneOf, refusals, Time, textOf } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { pageJson } from './page-view.js'

const VisitsQuery = exactly({
  format: Type.Optional(oneOf(['csv', 'jsonl'])),
  from: Type.Optional(Time),
  until: Type.Optional(Time),
})

/** Pages or visits read at a time: some milliseconds, so that nobody else waits long. */
const stretch = 500
const types = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson' } as const

/** All visits and all pages, as streams: what is read waits for what is taken. */
export function exportRoutes(app: App, { store, collection }: ServiceParts): void {
  const tags = ['transfer']

  app.get(
    '/api/export/visits',
    {
      schema: {
        operationId: 'exportVisits',
        summary: 'All visits as CSV or JSON lines, as revisit import and estimate read them',
        tags,
        querystring: VisitsQuery,
        response: { 200: textOf('text/csv', 'application/x-ndjson'), ...refusals },
      },
    },
    async ({ query }, reply) => {
      const { format = 'jsonl', ...span } = query
      reply.type(types[format])
      reply.header('content-disposition', `attachment; filename="visits.${format}"`)
      return Readable.from(visitText(store, { ...span, collection }, format))
    },
  )

  app.get(
    '/api/export/pages',
    {
      schema: {
        operationId: 'exportPages',
        summary: 'All pages as JSON lines, as import takes them',
        tags,
        response: { 200: textOf('application/x-ndjson'), ...refusals },
      },
    },
    async (_, reply) => {
      reply.type(types.jsonl)
      reply.header('content-disposition', 'attachment; filename="pages.jsonl"')
      return Readable.from(pageText(store, collection))
    },
  )
}

/**
 * A store in this process answers within the turn of the event loop, and a
 * client that reads quickly never makes us wait: others get their turn after
 * each stretch, or an export of a million visits would keep them for 13 s.
 */
async function* visitText(
  store: Store,
  span: VisitSpan,
  format: 'csv' | 'jsonl',
): AsyncGenerator<string> {
  const row = format === 'csv' ? csvRow : jsonRow
  if (format === 'csv') yield csvHead
  for await (const visits of visitStretches(store, { ...span, stretch })) {
    yield visits.map(row).join('')
    await setImmediate()
  }
}

async function* pageText(store: Store, collection: string): AsyncGenerator<string> {
  let after: string | undefined
  do {
    const list = await store.listPages({ collection, limit: stretch, ...given({ after }) })
    yield list.pages.map((page) => `${JSON.stringify(pageJson(page))}\n`).join('')
    after = list.next ?? undefined
    await setImmediate()
  } while (after !== undefined)
}
