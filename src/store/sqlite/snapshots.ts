import { sql } from 'kysely'
import { EnvironmentError } from '../../model/errors.js'
import type { Retention, Version } from '../../model/store.js'
import type { UnixSeconds } from '../../model/units.js'
import {
  digestOf,
  type PackedContent,
  packContent,
  packContentNow,
  unpackContent,
} from '../content.js'
import type { WrittenContent, WrittenReport } from '../report-rows.js'
import type { Database } from './file/database.js'
import { damagedText } from './file/file-state.js'

/** A content with its name, ready to be kept; packed unless the store has it already. */
export interface NamedContent {
  readonly digest: string
  readonly bytes: number
  readonly mediaType: string | null
  /** JSON. */
  readonly headers: string | null
  /** Packed already: the store had it not when it was asked. */
  readonly isNew: boolean
  readonly packed: () => PackedContent
}

/** A visit with its content named and packed beforehand. */
export interface ReadyVisit {
  readonly visit: WrittenReport
  readonly named: NamedContent | undefined
}

/** Names the contents of visits and packs those that are new, before any transaction begins. */
export async function readyVisits(
  visits: readonly WrittenReport[],
  { db, snapshots }: { readonly db: Database; readonly snapshots: Snapshots },
): Promise<ReadyVisit[]> {
  const digests = visits.map(({ content: { body, digest } }) =>
    body === null ? null : (digest ?? digestOf(body)),
  )
  const asked = digests.filter((digest) => digest !== null)
  if (asked.length === 0) return visits.map((visit) => ({ visit, named: undefined }))
  const known = db.readOne(() => snapshots.known(asked))
  const isNew = (at: number) => digests[at] !== null && !known.has(digests[at]!)
  const packed = await allPacked(visits.map(({ content }, at) => (isNew(at) ? content.body : null)))
  return visits.map((visit, at) => ({
    visit,
    named: namedContent(visit.content, digests[at]!, packed[at]),
  }))
}

/** Each in its place; few of them are so large that there is something to wait for. */
async function allPacked(
  bodies: readonly (Uint8Array | null)[],
): Promise<readonly (PackedContent | undefined)[]> {
  const packed = bodies.map((body) => (body === null ? undefined : packContent(body)))
  const waits = packed.some((each) => each instanceof Promise)
  return waits ? Promise.all(packed) : (packed as (PackedContent | undefined)[])
}

function namedContent(
  { body, mediaType, headers }: WrittenContent,
  digest: string | null,
  packed: PackedContent | undefined,
): NamedContent | undefined {
  if (body === null || digest === null) return undefined
  return {
    digest,
    bytes: body.length,
    mediaType,
    headers,
    isNew: packed !== undefined,
    // Known now, it may yet be let go before the commit.
    packed: () => packed ?? packContentNow(body),
  }
}

/** Where a content belongs. */
interface VersionPlace {
  readonly page: number
  readonly at: UnixSeconds
  readonly retention: Retention
  /** No page has more versions than visits, so a page with few has none to let go of. */
  readonly visits: number
}

/** Contents by digest, each once, and the versions of pages that refer to them. */
export class Snapshots {
  readonly #known
  readonly #placed
  readonly #insert
  readonly #count
  readonly #drop
  readonly #body
  readonly #addVersion
  readonly #versions
  readonly #pruned
  readonly #dropVersion
  readonly #pages

  constructor(db: Database) {
    // One statement for all: a call for each would take twice the time.
    this.#known = db.statement(
      (_, slot) => sql<readonly [string]>`
        select asked.value from json_each(${slot('digests')}) as asked
        cross join snapshots on snapshots.digest = unhex(asked.value)`,
      { arrays: true },
    )
    this.#placed = db.statement(
      (_, slot) => sql<readonly [known: number | null, current: number | null]>`
        select (select id from snapshots where digest = ${slot('digest')}),
          (select snapshot from versions where page = ${slot('page')} order by at desc limit 1)`,
      { arrays: true },
    )
    this.#insert = db.statement(
      (_, slot) => sql<never>`
        insert into snapshots (digest, bytes, packing, refs, body)
        values (${slot('digest')}, ${slot('bytes')}, ${slot('packing')}, 1, ${slot('body')})
        on conflict (digest) do nothing`,
    )
    this.#count = db.statement((q, slot) =>
      q
        .updateTable('snapshots')
        .set((eb) => ({ refs: eb('refs', '+', slot('by')) }))
        .where('id', '=', slot('id')),
    )
    this.#drop = db.statement((q, slot) =>
      q.deleteFrom('snapshots').where('id', '=', slot('id')).where('refs', '=', 0),
    )
    this.#body = db.statement((q, slot) =>
      q.selectFrom('snapshots').select(['packing', 'body']).where('digest', '=', slot('digest')),
    )
    this.#addVersion = db.statement((q, slot) =>
      q.insertInto('versions').values({
        page: slot('page'),
        at: slot('at'),
        snapshot: slot('snapshot'),
        media_type: slot('mediaType'),
        headers: slot('headers'),
      }),
    )
    this.#versions = db.statement((q, slot) =>
      q
        .selectFrom('versions')
        .innerJoin('snapshots', 'snapshots.id', 'versions.snapshot')
        .select(['at', 'snapshot', 'media_type', 'headers', 'digest', 'bytes'])
        .where('page', '=', slot('page'))
        .orderBy('at', 'desc'),
    )
    // The rule of `prunedVersions`, without reading the versions that stay.
    this.#pruned = db.statement(
      (_, slot) => sql<{ at: number; snapshot: number }>`
        select at, snapshot from versions
        where page = ${slot('page')} and ${slot('now')} - at >= ${slot('youngerThan')}
          and at < (select at from versions where page = ${slot('page')}
            order by at desc limit 1 offset ${slot('others')})`,
    )
    this.#pages = db.statement((q, slot) =>
      q
        .selectFrom('versions')
        .innerJoin('pages', 'pages.id', 'versions.page')
        .select('page')
        .distinct()
        .where('collection', '=', slot('collection')),
    )
    this.#dropVersion = db.statement((q, slot) =>
      q.deleteFrom('versions').where('page', '=', slot('page')).where('at', '=', slot('at')),
    )
  }

  /** Those of these contents that the store has. */
  known(digests: readonly string[]): ReadonlySet<string> {
    const found = this.#known().all({ digests: JSON.stringify(digests) })
    return new Set(found.map(([digest]) => digest))
  }

  /**
   * Keeps a content as the page's current version, unless it is that already.
   * One that no page had before is in no version either: adding it comes first,
   * and only where it was there already are the page's versions asked.
   */
  keep(named: NamedContent, place: VersionPlace): void {
    const digest = bytesOf(named.digest)
    const added = named.isNew ? this.#added(named, digest) : undefined
    const snapshot = added ?? this.#shared(named, { digest, page: place.page })
    if (snapshot === undefined) return
    const { page, at, retention, visits } = place
    const { mediaType, headers } = named
    this.#addVersion().execute({ page, at, snapshot, mediaType, headers })
    if (visits > retention.newest) this.prune(page, { retention, now: at })
  }

  /** Oldest first. */
  of(page: number): Version[] {
    return this.#versions()
      .all({ page })
      .reverse()
      .map(({ at, digest, bytes, media_type, headers }) => ({
        at,
        digest: hexOf(digest),
        bytes,
        mediaType: media_type,
        headers: headers === null ? null : JSON.parse(headers),
      }))
  }

  body(digest: string): PackedContent | undefined {
    return this.#body().first({ digest: bytesOf(digest) }) as PackedContent | undefined
  }

  /** How many versions of the page were let go. */
  prune(page: number, rule: { readonly retention: Retention; readonly now: UnixSeconds }): number {
    const { newest, youngerThan } = rule.retention
    const others = Math.min(Math.max(1, newest), 2 ** 31) - 1
    const gone = this.#pruned().all({ page, now: rule.now, youngerThan, others })
    for (const { at, snapshot } of gone) this.#release({ page, at, snapshot })
    return gone.length
  }

  /** The same for every page of a collection. */
  pruneAll(
    collection: number,
    rule: { readonly retention: Retention; readonly now: UnixSeconds },
  ): number {
    let gone = 0
    for (const { page } of this.#pages().all({ collection })) gone += this.prune(page, rule)
    return gone
  }

  removeAll(page: number): void {
    for (const { at, snapshot } of this.#versions().all({ page }))
      this.#release({ page, at, snapshot })
  }

  #release({ page, at, snapshot }: { page: number; at: number; snapshot: number }): void {
    this.#dropVersion().execute({ page, at })
    this.#count().execute({ id: snapshot, by: -1 })
    this.#drop().execute({ id: snapshot })
  }

  /** The number of a content that was added with its first reference; undefined where the store has it. */
  #added({ bytes, packed }: NamedContent, digest: Uint8Array): number | undefined {
    const { packing, body } = packed()
    return this.#insert().insertNew({ digest, bytes, packing, body })
  }

  /** The number of a content with one reference more; undefined where it is the page's current version. */
  #shared(
    named: NamedContent,
    { digest, page }: { readonly digest: Uint8Array; readonly page: number },
  ): number | undefined {
    const [known, current] = this.#placed().first({ digest, page })!
    if (known === null) return this.#added(named, digest)
    if (known === current) return undefined
    this.#count().execute({ id: known, by: 1 })
    return known
  }
}

function bytesOf(digest: string): Uint8Array {
  return Buffer.from(digest, 'hex')
}

function hexOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('hex')
}

/** A content of the file at `path`, unpacked; SQLite's own check does not see into it. */
export async function storedContent(packed: PackedContent, path: string): Promise<Uint8Array> {
  try {
    return await unpackContent(packed)
  } catch (cause) {
    throw new EnvironmentError(
      'store-damaged',
      `${damagedText(path)} (a copy of a page cannot be unpacked)`,
      { cause },
    )
  }
}
