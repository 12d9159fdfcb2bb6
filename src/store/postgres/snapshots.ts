import { EnvironmentError } from '../../model/errors.js'
import type { Retention, Version } from '../../model/store.js'
import type { UnixSeconds } from '../../model/units.js'
import type { Content } from '../../model/visit-record.js'
import {
  digestOf,
  type PackedContent,
  packContent,
  packContentNow,
  unpackContent,
} from '../content.js'
import type { Hosts } from './hosts.js'
import type { Key, PageKey } from './keys.js'
import { type Database, rowsGiven, statement } from './server/database.js'
import type { Session } from './server/session.js'

/** A content with its name, ready to be kept; packed unless its host has it already. */
export interface NamedContent {
  readonly host: Key
  readonly digest: string
  readonly content: Content
  readonly packed: PackedContent | undefined
}

/** A content that becomes the current version of a page. */
export interface NewVersion extends PageKey {
  readonly at: UnixSeconds
  readonly named: NamedContent
}

const known = statement(`
  select encode(wanted.digest, 'hex'), wanted.host::text
  from ${rowsGiven('$1::bigint[], $2::bytea[]')} as wanted (host, digest)
    cross join lateral (select from snapshots s
      where s.host = wanted.host and s.digest = wanted.digest) as s`)

const insert = statement(`
  insert into snapshots (host, digest, bytes, packing, body)
  select * from unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::int[], $5::bytea[])
  on conflict do nothing`)

const addVersions = statement(`
  insert into versions (host, page, at, digest, media_type, headers)
  select * from unnest($1::bigint[], $2::bigint[], $3::float8[], $4::bytea[], $5::text[], $6::text[])`)

const current = statement(`
  select wanted.host::text, wanted.page, encode(v.digest, 'hex')
  from ${rowsGiven('$1::bigint[], $2::bigint[]')} as wanted (host, page)
    cross join lateral (select digest from versions
      where versions.host = wanted.host and versions.page = wanted.page
      order by versions.at desc limit 1) as v`)

/** The rule of `prunedVersions`: beyond the newest, and not young any more. */
const pruned = statement(`
  delete from versions using (
    select wanted.host, wanted.page, wanted.now, v.at as kept
    from ${rowsGiven('$1::bigint[], $2::bigint[], $3::float8[]')} as wanted (host, page, now)
      cross join lateral (select versions.at from versions
        where versions.host = wanted.host and versions.page = wanted.page
        order by versions.at desc offset $4 limit 1) as v
  ) as pages
  where versions.host = pages.host and versions.page = pages.page and versions.at < pages.kept
    and pages.now - versions.at >= $5
  returning versions.host::text, versions.digest`)

const removeVersions = statement(`
  delete from versions using ${rowsGiven('$1::bigint[], $2::bigint[]')} as gone (host, page)
  where versions.host = gone.host and versions.page = gone.page
  returning versions.host::text, versions.digest`)

/** Contents that no version of their host has any more: nothing is counted, so that a content of many pages is no row that all write to. */
const sweep = statement(`
  delete from snapshots using (
    select distinct * from ${rowsGiven('$1::bigint[], $2::bytea[]')} as released (host, digest)
  ) as gone
  where snapshots.host = gone.host and snapshots.digest = gone.digest
    and not exists (select 1 from versions v
      where v.host = gone.host and v.digest = gone.digest)`)

const versionsOf = statement(`
  select v.at, encode(v.digest, 'hex'), s.bytes, v.media_type, v.headers
  from versions v cross join lateral (select bytes from snapshots
    where snapshots.host = v.host and snapshots.digest = v.digest) as s
  where v.host = $1::bigint and v.page = $2 order by v.at`)

const body = statement('select packing, body from snapshots where digest = $1 limit 1')

const pagesWithVersions = statement(`
  select distinct v.host::text, v.page from versions v cross join lateral (
    select from page_states s
    where s.host = v.host and s.page = v.page and s.collection = $1) as s
  order by 1`)

type Gone = readonly [host: Key, digest: Uint8Array]
type Places = readonly [readonly Key[], readonly number[]]

/** Pages of one transaction when a whole collection is pruned. */
const prunedTogether = 1000

/** Contents by digest and host, each once, and the versions of pages that refer to them. */
export const snapshots = {
  /** Names contents and packs those that are new to their host, before any transaction begins. */
  async ready(
    db: Database,
    contents: readonly { readonly host: Key; readonly content: Content }[],
  ): Promise<NamedContent[]> {
    if (contents.length === 0) return []
    const named = contents.map(({ host, content }) => ({
      ...{ host, content, digest: content.digest ?? digestOf(content.body) },
    }))
    const there = await db.read((session) => knownOf(session, named))
    return Promise.all(
      named.map(async (each) => ({
        ...each,
        packed: there.has(nameOf(each)) ? undefined : await packContent(each.content.body),
      })),
    )
  },

  /** The digests of the current versions of pages whose hosts are locked, by host and page. */
  async current(session: Session, pages: readonly PageKey[]): Promise<Map<string, string>> {
    const rows = await session.rows<readonly [Key, number, string]>(current, placesOf(pages))
    return new Map(rows.map(([host, page, digest]) => [`${host}.${page}`, digest]))
  },

  /** Keeps contents as versions of their pages, and lets go of those that the rule does not keep. */
  async keep(
    session: Session,
    versions: readonly NewVersion[],
    retention: Retention,
  ): Promise<void> {
    if (versions.length === 0) return
    const contents = new Map(versions.map(({ named }) => [nameOf(named), named]))
    const old = [...contents.values()].filter(({ packed }) => packed === undefined)
    // Known when it was asked, it may have been let go since.
    const there = old.length === 0 ? new Set<string>() : await knownOf(session, old)
    const fresh = [...contents.values()].filter((each) => !there.has(nameOf(each)))
    const packed = fresh.map((each) => each.packed ?? packContentNow(each.content.body))
    if (fresh.length > 0)
      await session.run(insert, [
        fresh.map(({ host }) => host),
        fresh.map(({ digest }) => bytesOf(digest)),
        fresh.map(({ content }) => content.body.length),
        packed.map(({ packing }) => packing),
        packed.map((each) => each.body),
      ])
    await session.run(addVersions, [
      ...placesOf(versions),
      versions.map(({ at }) => at),
      versions.map(({ named }) => bytesOf(named.digest)),
      versions.map(({ named }) => named.content.mediaType ?? null),
      versions.map(({ named: { content } }) =>
        content.headers === undefined ? null : JSON.stringify(content.headers),
      ),
    ])
    const last = new Map(versions.map((each) => [`${each.host}.${each.page}`, each]))
    const newest = [...last.values()]
    await prune(session, { places: placesOf(newest), nows: newest.map(({ at }) => at), retention })
  },

  /** Oldest first. */
  async of(db: Database, { host, page }: PageKey): Promise<Version[]> {
    type Row = readonly [number, string, number, string | null, string | null]
    const rows = await db.read((session) => session.rows<Row>(versionsOf, [host, page]))
    return rows.map(([at, digest, bytes, mediaType, headers]) => ({
      ...{ at, digest, bytes, mediaType },
      headers: headers === null ? null : (JSON.parse(headers) as Version['headers']),
    }))
  },

  async body(db: Database, digest: string): Promise<Uint8Array | null> {
    type Row = readonly [PackedContent['packing'], Buffer]
    const row = await db.read((session) => session.first<Row>(body, [bytesOf(digest)]))
    if (row === undefined) return null
    try {
      return await unpackContent({ packing: row[0], body: row[1] })
    } catch (cause) {
      throw new EnvironmentError(
        'store-damaged',
        `a copy of a page in ${db.name.text} cannot be unpacked; restore the database from its last good backup`,
        { cause },
      )
    }
  },

  /** Lets go of versions of all pages of a collection; how many. */
  async pruneAll(
    { db, hosts }: { readonly db: Database; readonly hosts: Hosts },
    collection: number,
    { now, retention }: { readonly now: UnixSeconds; readonly retention: Retention },
  ): Promise<number> {
    const rows = await db.readTogether((session) =>
      session.rows<readonly [Key, number]>(pagesWithVersions, [collection]),
    )
    let gone = 0
    for (let from = 0; from < rows.length; from += prunedTogether) {
      const some = rows.slice(from, from + prunedTogether)
      const places: Places = [some.map(([host]) => host), some.map(([, page]) => page)]
      gone += await db.write(async (session) => {
        await hosts.locked(session, places[0])
        return prune(session, { places, nows: some.map(() => now), retention })
      })
    }
    return gone
  },

  /** Takes away all versions of pages whose hosts are locked, and contents that were theirs alone. */
  async removeAll(session: Session, places: Places): Promise<void> {
    await swept(session, await session.rows<Gone>(removeVersions, [...places]))
  },
}

async function prune(
  session: Session,
  {
    places,
    nows,
    retention: { newest, youngerThan },
  }: { readonly places: Places; readonly nows: readonly number[]; readonly retention: Retention },
): Promise<number> {
  const others = Math.min(Math.max(1, newest), 2 ** 31) - 1
  const gone = await session.rows<Gone>(pruned, [...places, nows, others, youngerThan])
  await swept(session, gone)
  return gone.length
}

async function swept(session: Session, gone: readonly Gone[]): Promise<void> {
  if (gone.length === 0) return
  await session.run(sweep, [gone.map(([host]) => host), gone.map(([, digest]) => digest)])
}

async function knownOf(
  session: Session,
  named: readonly { readonly host: Key; readonly digest: string }[],
): Promise<Set<string>> {
  const values = [named.map(({ host }) => host), named.map(({ digest }) => bytesOf(digest))]
  const rows = await session.rows<readonly [string, Key]>(known, values)
  return new Set(rows.map(([digest, host]) => nameOf({ host, digest })))
}

function nameOf({ host, digest }: { readonly host: Key; readonly digest: string }): string {
  return `${host} ${digest}`
}

function placesOf(pages: readonly PageKey[]): [Key[], number[]] {
  return [pages.map(({ host }) => host), pages.map(({ page }) => page)]
}

function bytesOf(digest: string): Uint8Array {
  return Buffer.from(digest, 'hex')
}
