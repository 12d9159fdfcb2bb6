/** GET /feeds/changes.atom: the newest changes for feed readers. */

import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { type AtomEntry, writeAtom } from '../../formats/feed/write-atom.js'
import { LruMap } from '../../model/lru-map.js'
import { isOfGroup, type PageRecord } from '../../model/page.js'
import type { UnixSeconds } from '../../model/units.js'
import type { LoggedVisit } from '../../model/visit-record.js'
import { noticeLine } from '../../notify/notice.js'
import { isOfList, seenChange } from '../../notify/visit-notice.js'
import { foundPage } from '../pages/page-view.js'
import { exactly, PageId, refusals, textOf } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'

/** Changes in a feed. */
const mostEntries = 50
/** How far back changes are looked for: those of lists, and of other groups than the one asked for, are passed over. */
const stretch = 500
const mostStretches = 10
/** Texts of changes kept, since most of a feed is as it was when it was asked for last. */
const mostKept = 1000
/** Real milliseconds after which no further change is described in an answer: one of a hostile page may take a second. */
const longest = 3000

interface FeedAsked {
  readonly group?: string
  readonly page?: PageRecord
  /** Where it was asked for. */
  readonly self: string
}

/** A feed as it is sent, and what tells whether it is still the same. */
interface FeedText {
  readonly etag: string
  /** Null without a change: what is recorded next may be older than anything said here. */
  readonly lastModified: UnixSeconds | null
  text(): Promise<string>
}

type Change = Pick<LoggedVisit, 'at' | 'page'>

/** Changes as Atom, of all pages, a group or one page. Bounded, and dear parts are kept at hand. */
class ChangesFeed {
  readonly #parts: ServiceParts
  readonly #kept = new LruMap<AtomEntry>({ most: mostKept })
  readonly #making = new Map<string, Promise<AtomEntry>>()
  /** When an empty feed was last another: not known, but it has been this one since then. */
  readonly #since: UnixSeconds

  constructor(parts: ServiceParts) {
    this.#parts = parts
    this.#since = parts.clock.now()
  }

  async of(asked: FeedAsked): Promise<FeedText> {
    const changes =
      asked.page === undefined ? await this.#logged(asked.group) : await this.#ofPage(asked.page)
    const names = changes.map(nameOf)
    const hash = createHash('sha256').update([asked.self, ...names].join('\n'))
    const lastModified = changes.length === 0 ? null : Math.max(...changes.map(({ at }) => at))
    const updated = lastModified ?? asked.page?.addedAt ?? this.#since
    return {
      etag: `"${hash.digest('base64url').slice(0, 22)}"`,
      lastModified,
      text: () => this.#text(asked, { changes, updated }),
    }
  }

  async #text(
    { group, page, self }: FeedAsked,
    { changes, updated }: { changes: readonly Change[]; updated: UnixSeconds },
  ): Promise<string> {
    const { collection } = this.#parts
    const what = page?.url ?? group
    const part = page === undefined ? (group ?? '') : `page:${page.id}`
    const entries: AtomEntry[] = []
    const until = performance.now() + longest
    for (const change of changes) {
      const late = performance.now() > until && this.#kept.get(nameOf(change)) === undefined
      entries.push(late ? this.#undescribed(change) : await this.#described(change))
    }
    return writeAtom({
      id: `urn:revisit:${encodeURIComponent(collection)}:changes:${encodeURIComponent(part)}`,
      title: what === undefined ? 'Changes' : `Changes: ${what}`,
      self,
      updated,
      entries,
    })
  }

  /** Those who ask meanwhile wait for the same. */
  #described(change: Change): AtomEntry | Promise<AtomEntry> {
    const name = nameOf(change)
    const known = this.#kept.get(name) ?? this.#making.get(name)
    if (known !== undefined) return known
    const made = this.#made(change).finally(() => this.#making.delete(name))
    this.#making.set(name, made)
    return made
  }

  #undescribed({ page, at }: Change): AtomEntry {
    return {
      id: this.#idOf({ page, at }),
      title: noticeLine({ type: 'changed', page: { url: page.url, title: null } }),
      link: page.url,
      updated: at,
      content: `Too much changed at once to be described here; see /api/pages/${page.id}/diff.`,
    }
  }

  #idOf(change: Change): string {
    return `urn:revisit:${encodeURIComponent(this.#parts.collection)}:change:${nameOf(change)}`
  }

  async #made(change: Change): Promise<AtomEntry> {
    const name = nameOf(change)
    const { page, at } = change
    const { title, change: what, note } = await seenChange({ page, at }, this.#parts)
    const entry: AtomEntry = {
      id: this.#idOf(change),
      title: noticeLine({ type: 'changed', page: { url: page.url, title } }),
      link: page.url,
      updated: at,
      content: note === null ? what!.diff : `${note[0]!.toUpperCase()}${note.slice(1)}.`,
    }
    this.#kept.set(name, entry)
    return entry
  }

  async #logged(group: string | undefined): Promise<readonly Change[]> {
    const { store, collection } = this.#parts
    const found: LoggedVisit[] = []
    /** By the id of their page: each is looked up once. */
    const ofLists = new Map<string, boolean>()
    let before = Number.MAX_SAFE_INTEGER
    for (let i = 0; i < mostStretches; i++) {
      const limit = i === 0 && group === undefined ? 2 * mostEntries : stretch
      const query = { collection, before, changesOnly: true, newestFirst: true, limit }
      const visits = await store.visitLog(query)
      for (const visit of visits) {
        const { page } = visit
        if (group !== undefined && !isOfGroup(page, group)) continue
        const isList = ofLists.get(page.id) ?? (await isOfList(visit, this.#parts))
        ofLists.set(page.id, isList)
        if (!isList) found.push(visit)
        if (found.length === mostEntries) return found
      }
      if (visits.length < limit) return found
      before = visits[visits.length - 1]!.number
    }
    return found
  }

  async #ofPage(page: PageRecord): Promise<readonly Change[]> {
    const visits = await this.#parts.store.visitsOf(page, { newest: stretch * mostStretches })
    const changes = visits.filter(({ outcome }) => outcome === 'changed')
    return changes
      .slice(-mostEntries)
      .reverse()
      .map(({ at }) => ({ at, page }))
  }
}

/** Names a change for ever: a page is never at two places at one time. */
function nameOf({ page, at }: Change): string {
  return `${page.id}:${at}`
}

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
