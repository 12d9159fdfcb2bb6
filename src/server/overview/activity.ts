import { DAY, HOUR, type Seconds, type Store, type UnixSeconds } from '../../model/index.js'

/** Visits of one hour. */
interface Hour {
  visits: number
  changes: number
  /** Failed or refused; a page that is found gone has answered. */
  failures: number
}

/** Visits by hour, the oldest first. */
export interface ActivityCounts {
  readonly from: UnixSeconds
  readonly bucket: Seconds
  readonly visits: number[]
  readonly changes: number[]
  readonly failures: number[]
}

/** Of the last 24 hours. */
export function visitsOfDay({ visits, bucket }: ActivityCounts): number {
  return visits.slice(-Math.round(DAY / bucket)).reduce((sum, count) => sum + count, 0)
}

const hours = 7 * 24
/** Read at a time, and in all when the service starts. */
const stretch = 1000
const mostRead = 50_000

/**
 * How many visits each of the last 168 hours had. Counts each visit once: when
 * asked, it reads on from the last visit that it counted.
 */
export class Activity {
  readonly #store: Store
  readonly #collection: string
  readonly #hours = new Map<number, Hour>()
  #last: number | undefined
  #reading: Promise<void> | undefined

  constructor({ store, collection }: { readonly store: Store; readonly collection: string }) {
    this.#store = store
    this.#collection = collection
  }

  async counts(now: UnixSeconds): Promise<ActivityCounts> {
    this.#reading ??= this.#read(now).finally(() => {
      this.#reading = undefined
    })
    await this.#reading
    const newest = Math.floor(now / HOUR)
    const all = Array.from({ length: hours }, (_, i) => this.#hours.get(newest - hours + 1 + i))
    for (const hour of this.#hours.keys()) if (hour <= newest - hours) this.#hours.delete(hour)
    return {
      from: (newest - hours + 1) * HOUR,
      bucket: HOUR,
      visits: all.map((hour) => hour?.visits ?? 0),
      changes: all.map((hour) => hour?.changes ?? 0),
      failures: all.map((hour) => hour?.failures ?? 0),
    }
  }

  async #read(now: UnixSeconds): Promise<void> {
    if (this.#last === undefined) await this.#readBack(now)
    else await this.#readOn(this.#last)
  }

  async #readOn(from: number): Promise<void> {
    let after = from
    for (;;) {
      const visits = await this.#store.visitLog({
        collection: this.#collection,
        after,
        limit: stretch,
      })
      for (const visit of visits) this.#count(visit)
      after = visits[visits.length - 1]?.number ?? after
      this.#last = after
      if (visits.length < stretch) return
    }
  }

  /** From the newest visit back, until they are too old or enough. */
  async #readBack(now: UnixSeconds): Promise<void> {
    const last = await this.#store.lastVisitNumber()
    let before = last + 1
    for (let read = 0; read < mostRead; read += stretch) {
      const visits = await this.#store.visitLog({
        collection: this.#collection,
        before,
        newestFirst: true,
        limit: stretch,
      })
      for (const visit of visits) this.#count(visit)
      const oldest = visits[visits.length - 1]
      if (oldest === undefined || visits.length < stretch || oldest.at < now - hours * HOUR) break
      before = oldest.number
    }
    this.#last = last
  }

  #count({ at, outcome }: { readonly at: UnixSeconds; readonly outcome: string }): void {
    const key = Math.floor(at / HOUR)
    const hour = this.#hours.get(key) ?? { visits: 0, changes: 0, failures: 0 }
    this.#hours.set(key, hour)
    hour.visits++
    if (outcome === 'changed') hour.changes++
    if (outcome === 'failed' || outcome === 'refused') hour.failures++
  }
}
