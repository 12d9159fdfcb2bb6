import { sql } from 'kysely'
import type { Retention, UnixSeconds, Version } from '../../model/index.js'
import type { PackedContent } from '../packed-content.js'
import type { Database } from './database.js'

/** A content with its name, ready to be kept; packed unless the store has it already. */
export interface NamedContent {
  readonly digest: string
  readonly bytes: number
  readonly mediaType: string | null
  /** JSON. */
  readonly headers: string | null
  readonly packed: () => PackedContent
}

/** Contents by digest, each once, and the versions of pages that refer to them. */
export class Snapshots {
  readonly #find
  readonly #insert
  readonly #count
  readonly #drop
  readonly #body
  readonly #addVersion
  readonly #versions
  readonly #current
  readonly #letGo
  readonly #dropVersion
  readonly #pages

  constructor(db: Database) {
    this.#find = db.statement((q, slot) =>
      q.selectFrom('snapshots').select('id').where('digest', '=', slot('digest')),
    )
    this.#insert = db.statement((q, slot) =>
      q.insertInto('snapshots').values({
        digest: slot('digest'),
        bytes: slot('bytes'),
        packing: slot('packing'),
        refs: 1,
        body: slot('body'),
      }),
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
    this.#current = db.statement((q, slot) =>
      q
        .selectFrom('versions')
        .innerJoin('snapshots', 'snapshots.id', 'versions.snapshot')
        .select('digest')
        .where('page', '=', slot('page'))
        .orderBy('at', 'desc')
        .limit(1),
    )
    // The rule of `letGo`, without reading the versions that stay.
    this.#letGo = db.statement(
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

  has(digest: string): boolean {
    return this.#find().first({ digest: bytesOf(digest) }) !== undefined
  }

  /** Keeps a content as the page's current version, unless it is that already. */
  keep(
    named: NamedContent,
    place: { readonly page: number; readonly at: UnixSeconds; readonly retention: Retention },
  ): void {
    const { page, at, retention } = place
    const current = this.#current().first({ page })
    if (current !== undefined && hexOf(current.digest) === named.digest) return
    const snapshot = this.#referred(named)
    const { mediaType, headers } = named
    this.#addVersion().run({ page, at, snapshot, mediaType, headers })
    this.prune(page, { retention, now: at })
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
    const gone = this.#letGo().all({ page, now: rule.now, youngerThan, others })
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
    this.#dropVersion().run({ page, at })
    this.#count().run({ id: snapshot, by: -1 })
    this.#drop().run({ id: snapshot })
  }

  /** The content in the store, with one version more that refers to it. */
  #referred({ bytes, digest, packed }: NamedContent): number {
    const name = bytesOf(digest)
    const known = this.#find().first({ digest: name })?.id
    if (known === undefined) return this.#insert().insert({ digest: name, bytes, ...packed() })
    this.#count().run({ id: known, by: 1 })
    return known
  }
}

function bytesOf(digest: string): Uint8Array {
  return Buffer.from(digest, 'hex')
}

function hexOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('hex')
}
