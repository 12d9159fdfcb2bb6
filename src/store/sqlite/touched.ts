import type { Frontier, Place } from './frontier.js'

/** Hosts whose due times a transaction changed, each settled once at its end. */
export class Touched {
  readonly #places = new Map<number, Place & { served: number }>()

  /** A page's due time changed; `servedAt` where it was visited. */
  add({ collection, host }: Place, servedAt = -Infinity): void {
    // Both are row numbers of small tables: far below 2 ** 26 each.
    const key = collection * 2 ** 26 + host
    const known = this.#places.get(key)
    if (known === undefined) this.#places.set(key, { collection, host, served: servedAt })
    else known.served = Math.max(known.served, servedAt)
  }

  settle(frontier: Frontier): void {
    for (const place of this.#places.values())
      frontier.settle(place, place.served === -Infinity ? null : place.served)
  }
}
