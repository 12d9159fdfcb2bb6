import type { LeaseRequest } from '../../model/index.js'
import {
  candidates,
  furtherPages,
  leased,
  type PageOfHost,
  pagesOf,
  roomOf,
  roomUnlessResting,
} from './candidates.js'
import type { Database } from './database.js'
import { hostColumn, type PageRow } from './page-row.js'

interface HostRoom {
  readonly collection: number
  readonly now: number
  readonly ahead: number
  readonly worker: string
  /** Who holds leases now: this worker alone, or others too. */
  readonly workers: 'one' | 'many'
}

/** What a lease says of itself: the first token of those to give, until when, and to whom. */
export interface Terms {
  readonly token: number
  readonly expires: number
  readonly worker: string
}

/** Leases pages that are due and free, host by host. */
export class DuePages {
  readonly #leaseFirst
  readonly #furtherPages
  readonly #leaseThese
  readonly #room
  readonly #restingRoom

  constructor(db: Database) {
    const arrays = { arrays: true }
    this.#leaseFirst = {
      one: db.wideStatement((_, slot) => leased(candidates(slot, 'one'), slot)),
      many: db.wideStatement((_, slot) => leased(candidates(slot, 'many'), slot)),
    }
    this.#furtherPages = db.statement((_, slot) => furtherPages(slot), arrays)
    this.#leaseThese = db.wideStatement((_, slot) => leased(pagesOf(slot), slot))
    this.#room = {
      one: db.statement((_, slot) => roomOf(slot, 'one'), arrays),
      many: db.statement((_, slot) => roomOf(slot, 'many'), arrays),
    }
    this.#restingRoom = db.statement((_, slot) => roomUnlessResting(slot), arrays)
  }

  /** Those of free pages, by number and host, that may be visited now; in the order given. */
  withinRoom(
    pages: readonly PageOfHost[],
    { now, perHost, ahead = perHost, worker }: Omit<LeaseRequest, 'collection' | 'limit'>,
  ): PageOfHost[] {
    const rooms = new Map<number, number>()
    return pages.filter(([, host]) => {
      const asked = { host, now, ahead, worker }
      const room = rooms.get(host) ?? this.#restingRoom().first(asked)![0]
      rooms.set(host, room - 1)
      return room > 0
    })
  }

  /** Pages by their numbers, whatever else is known of them. */
  leaseThese(pages: readonly number[], terms: Terms): PageRow[] {
    if (pages.length === 0) return []
    return this.#leaseThese().all({ ...terms, ids: JSON.stringify(pages) })
  }

  lease(
    request: LeaseRequest,
    { collection, workers, terms }: Pick<HostRoom, 'collection' | 'workers'> & { terms: Terms },
  ): readonly PageRow[] {
    const { now, limit, perHost, ahead = perHost, worker, host = null } = request
    const room = { collection, now, ahead, worker }
    const asked = { ...terms, ...room, host, limit }
    const first = this.#leaseFirst[workers]().all(asked)
    if (ahead <= 1 || first.length >= limit) return first
    const further = this.#further(first, { ...room, workers, limit: limit - first.length })
    const token = terms.token + first.length
    return [...first, ...this.leaseThese(further, { ...terms, token })]
  }

  /** Of the hosts of these pages the second page each, then the third, up to the room and the limit. */
  #further(first: readonly PageRow[], room: HostRoom & { readonly limit: number }): number[] {
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
    return ids
  }

  #furtherOf(
    first: PageRow,
    { workers, collection, now, ahead, worker }: HostRoom,
    most: number,
  ): (readonly [number])[] {
    const host = first[hostColumn]
    const [room] = this.#room[workers]().first({ host, now, ahead, worker })!
    if (room <= 0) return []
    const after = { first: first[0], firstDue: first[2] }
    const many = Math.min(room, most)
    return this.#furtherPages().all({ collection, host, now, ...after, many })
  }
}
