import { createHash, hash } from 'node:crypto'
import type { Store } from '../../model/store.js'
import type { Json } from '../../model/units.js'
import { listAddresses, renamedHints } from './list-names.js'
import { inParts, pageSlices } from './slices.js'

/** How many rows of a kind there are, and what they are, in whatever order. */
export interface Checksum {
  readonly count: number
  /** Sum of the first 64 bits of each row's SHA-256, in hex. */
  readonly sum: string
}

/** What a collection holds, the same in every store that holds the same. */
export interface CollectionChecksums {
  /** Pages with all that is known of them. */
  readonly pages: Checksum
  /** When each page is due next, and why. */
  readonly nextVisits: Checksum
  readonly visits: Checksum
  /** Versions with the digest of their contents, which are read and checked. */
  readonly versions: Checksum
  readonly hosts: Checksum
}

class Rows {
  count = 0
  #sum = 0n

  add(row: readonly unknown[]): void {
    const digest = hash('sha256', JSON.stringify(row)).slice(0, 16)
    this.#sum = BigInt.asUintN(64, this.#sum + BigInt(`0x${digest}`))
    this.count++
  }

  get checksum(): Checksum {
    return { count: this.count, sum: this.#sum.toString(16).padStart(16, '0') }
  }
}

/** Reads all of a collection. Ids, numbers, tokens and leases are each store's own and do not count. */
export async function collectionChecksums(
  store: Store,
  collection: string,
): Promise<CollectionChecksums> {
  const pages = new Rows()
  const nextVisits = new Rows()
  const versions = new Rows()
  const lists = await listAddresses(store, collection)
  for await (const slice of pageSlices(store, { collection, limit: 1_000 })) {
    const kept = await inParts(slice.pages, ({ id }) => store.versionsOf({ id }))
    for (const [at, { id: _, state, hints, ...page }] of slice.pages.entries()) {
      const numbers = state === null ? null : [state.learner, ...state.numbers]
      const rest = { ...page, hints: renamedHints(hints, lists) }
      pages.add([sorted(rest as unknown as Json), numbers?.map(String) ?? null])
      nextVisits.add([page.url, page.due.at, page.due.reason])
      for (const version of kept[at]!)
        versions.add([page.url, sorted(version as unknown as Json), await isKept(store, version)])
    }
  }
  const visits = await visitRows(store, collection)
  const hosts = await hostRows(store, collection)
  return {
    pages: pages.checksum,
    nextVisits: nextVisits.checksum,
    visits: visits.checksum,
    versions: versions.checksum,
    hosts: hosts.checksum,
  }
}

/** Whether the content is there, and what its digest says. */
async function isKept(store: Store, { digest }: { readonly digest: string }): Promise<boolean> {
  const body = await store.snapshot(digest)
  return body !== null && createHash('sha256').update(body).digest('hex') === digest
}

async function visitRows(store: Store, collection: string): Promise<Rows> {
  const rows = new Rows()
  let after = 0
  for (;;) {
    const visits = await store.visitLog({ collection, after, limit: 2_000 })
    if (visits.length === 0) return rows
    for (const { number, page, ...visit } of visits) {
      // Files and servers have its fields in one order (`visitFrom`).
      rows.add([page.url, visit])
      after = number
    }
  }
}

async function hostRows(store: Store, collection: string): Promise<Rows> {
  const rows = new Rows()
  let after: string | undefined
  do {
    const next = after === undefined ? {} : { after }
    const list = await store.listHosts({ collection, limit: 500, ...next })
    for (const { host } of list.hosts) {
      const record = await store.getHost(host)
      if (record === null) continue
      const { fence: _, ...rest } = record
      rows.add([sorted(rest as unknown as Json)])
    }
    after = list.next ?? undefined
  } while (after !== undefined)
  return rows
}

/** With the names of its fields in order: databases that keep JSON as such have their own. */
function sorted(value: Json): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((each: Json) => sorted(each))
  const fields = Object.entries(value as { readonly [name: string]: Json })
  return Object.fromEntries(
    fields
      .filter(([, each]) => each !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  )
}
