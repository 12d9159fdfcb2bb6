import type { Seconds, UnixSeconds } from '../../model/units.js'

interface Bucket {
  left: number
  at: UnixSeconds
}

/** Addresses remembered; beyond it the oldest are forgotten, and start anew. */
const most = 10_000

/** So many requests a second from one address, with some in reserve. A token bucket for each. */
export class RequestLimit {
  readonly #perSecond: number
  readonly #atOnce: number
  readonly #buckets = new Map<string, Bucket>()

  constructor({ perSecond, atOnce }: { readonly perSecond: number; readonly atOnce: number }) {
    this.#perSecond = perSecond
    this.#atOnce = atOnce
  }

  /** 0 where a request may be made now, or how long to wait. */
  wait(address: string, now: UnixSeconds): Seconds {
    const full = this.#atOnce
    const bucket = this.#buckets.get(address) ?? this.#start(address, { left: full, at: now })
    bucket.left = Math.min(full, bucket.left + Math.max(0, now - bucket.at) * this.#perSecond)
    bucket.at = now
    if (bucket.left < 1) return (1 - bucket.left) / this.#perSecond
    bucket.left--
    return 0
  }

  #start(address: string, bucket: Bucket): Bucket {
    if (this.#buckets.size >= most)
      for (const oldest of this.#buckets.keys()) if (this.#buckets.delete(oldest)) break
    this.#buckets.set(address, bucket)
    return bucket
  }
}
