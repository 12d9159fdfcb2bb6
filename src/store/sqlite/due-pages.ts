import type { LeaseRequest } from '../../model/index.js'
import {
  candidates,
  furtherPages,
  othersLease,
  pagesOf,
  roomOf,
  roomUnlessResting,
} from './candidates.js'
import type { Database } from './database.js'
import { hostColumn, type PageRow } from './page-row.js'

interface HostRoom {
  readonly collection: number
  readonly now: number
  readonly perHost: number
  readonly ahead: number
  readonly worker: string
  /** Who holds leases now: this worker alone, or others too. */
  readonly workers: 'one' | 'many'
}

/** Pages that are due and free, host by host, for a lease. */
export class DuePages {
  readonly #othersLease
  readonly #candidates
  readonly #furtherPages
  readonly #pagesOf
  readonly #room
  readonly #restingRoom

  constructor(db: Database) {
    const arrays = { arrays: true }
    this.#othersLease = db.statement((_, slot) => othersLease(slot), arrays)
    this.#candidates = {
      one: db.statement((_, slot) => candidates(slot, 'one'), arrays),
      many: db.statement((_, slot) => candidates(slot, 'many'), arrays),
    }
    this.#furtherPages = db.statement((_, slot) => furtherPages(slot), arrays)
    this.#pagesOf = db.statement((_, slot) => pagesOf(slot), arrays)
    this.#room = {
      one: db.statement((_, slot) => roomOf(slot, 'one'), arrays),
      many: db.statement((_, slot) => roomOf(slot, 'many'), arrays),
    }
    this.#restingRoom = db.statement((_, slot) => roomUnlessResting(slot), arrays)
  }

  /** Those of chosen pages that may be visited now, in the order given; within the transaction that leases them. */
  withinRoom(
    rows: readonly PageRow[],
    { now, perHost, ahead = perHost, worker }: Omit<LeaseRequest, 'collection' | 'limit'>,
  ): PageRow[] {
    const rooms = new Map<number, number>()
    return rows.filter((row) => {
      const host = row[hostColumn]
      const asked = { host, now, perHost, ahead, worker }
      const room = rooms.get(host) ?? this.#restingRoom().first(asked)![0]
      rooms.set(host, room - 1)
      return room > 0
    })
  }

  /** Within the transaction that leases them. */
  find(request: LeaseRequest, collection: number): readonly PageRow[] {
    const { now, limit, perHost, ahead = perHost, worker, host = null } = request
    const workers = this.#othersLease().first({ worker, now })![0] === 0 ? 'one' : 'many'
    const room = { collection, now, perHost, ahead, worker }
    const ready = this.#candidates[workers]().all({ ...room, host, limit })
    const first = ready as unknown as PageRow[]
    if (ahead <= 1 || first.length >= limit) return first
    const more = this.#further(first, { ...room, workers, limit: limit - first.length })
    return [...first, ...more]
  }

  /** Of the hosts of these pages the second page each, then the third, up to the room and the limit. */
  #further(first: readonly PageRow[], room: HostRoom & { readonly limit: number }): PageRow[] {
    const { limit } = room
    // Most hosts have as many as their share; what is read beyond it would be read for nothing.
    const share = Math.ceil(limit / first.length)
    const fair = first.map((row) => this.#furtherOf(row, room, share))
    const found = fair.reduce((sum, { length }) => sum + length, 0)
    const turns =
      found >= limit
        ? fair
        : fair.map((some, at) =>
            some.length < share ? some : this.#furtherOf(first[at]!, room, limit),
          )
    const ids: number[] = []
    for (let round = 0; ids.length < limit; round++) {
      const next = turns.flatMap((pages) => pages[round] ?? [])
      if (next.length === 0) break
      ids.push(...next.slice(0, limit - ids.length))
    }
    return this.#pagesOf().all({ ids: JSON.stringify(ids) }) as unknown as PageRow[]
  }

  #furtherOf(
    first: PageRow,
    { workers, collection, now, perHost, ahead, worker }: HostRoom,
    most: number,
  ): (readonly [number])[] {
    const host = first[hostColumn]
    const [room] = this.#room[workers]().first({ host, now, perHost, ahead, worker })!
    if (room <= 1) return []
    const after = { first: first[0], firstDue: first[2] }
    const many = Math.min(room - 1, most)
    return this.#furtherPages().all({ collection, host, now, ...after, many })
  }
}
