import { LruMap } from '../../model/lru-map.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'

interface Bucket {
  left: number
  at: UnixSeconds
}

/** Addresses remembered, half of them at least; beyond it those that asked last stay, and the others start anew. */
const most = 20_000

/** So many requests a second from one address, with some in reserve. A token bucket for each. */
export class RequestLimit {
  readonly #perSecond: number
  readonly #atOnce: number
  readonly #buckets = new LruMap<Bucket>({ most })

  constructor({ perSecond, atOnce }: { readonly perSecond: number; readonly atOnce: number }) {
    this.#perSecond = perSecond
    this.#atOnce = atOnce
  }

  /** 0 where a request may be made now, or how long to wait. */
  wait(address: string, now: UnixSeconds): Seconds {
    const full = this.#atOnce
    let bucket = this.#buckets.get(address)
    if (bucket === undefined) {
      bucket = { left: full, at: now }
      this.#buckets.set(address, bucket)
    }
    bucket.left = Math.min(full, bucket.left + Math.max(0, now - bucket.at) * this.#perSecond)
    bucket.at = now
    if (bucket.left < 1) return (1 - bucket.left) / this.#perSecond
    bucket.left--
    return 0
  }
}
