import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import type { App } from '../app.js'
import { ChangesFeed } from '../atom/changes-feed.js'
import { foundPage } from '../page-view.js'
import { exactly, PageId, refusals, textOf } from '../schema/words.js'
import type { ServiceParts } from '../service-parts.js'

/** Changes for feed readers. */
export function feedRoutes(app: App, parts: ServiceParts): void {
  const feeds = new ChangesFeed(parts)

  app.get(
    '/feeds/changes.atom',
    {
      schema: {
        operationId: 'changesFeed',
        summary: 'The newest changes as Atom: of all pages, of a group or of one page',
        tags: ['notifications'],
        querystring: exactly({
          group: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
          page: Type.Optional(PageId),
        }),
        response: {
          200: textOf('application/atom+xml'),
          304: Type.Null({ description: 'as it was' }),
          ...refusals,
        },
      },
    },
    async (request, reply) => {
      const { group, page } = request.query
      const feed = await feeds.of({
        self: `${request.protocol}://${request.host}${request.url}`,
        ...(group === undefined ? {} : { group }),
        ...(page === undefined ? {} : { page: await foundPage(page, parts) }),
      })
      const modified = feed.lastModified === null ? null : new Date(feed.lastModified * 1000)
      reply.header('etag', feed.etag)
      if (modified !== null) reply.header('last-modified', modified.toUTCString())
      reply.header('cache-control', 'private, no-cache')
      if (isAsBefore(request.headers, { etag: feed.etag, modified })) {
        reply.code(304)
        return ''
      }
      reply.type('application/atom+xml; charset=utf-8')
      return feed.text()
    },
  )
}

/** RFC 9110, section 13.2.2: a tag, where there is one, decides alone. */
function isAsBefore(
  headers: IncomingHttpHeaders,
  { etag, modified }: { readonly etag: string; readonly modified: Date | null },
): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined)
    return tags.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
  if (modified === null) return false
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return Math.floor(modified.getTime() / 1000) * 1000 <= since
}
