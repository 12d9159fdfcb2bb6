/**
 * Keeps the entries last set or asked for: at least half of `most`, and never
 * more than that. Two maps in turn, as one that forgets its oldest entry passes
 * over all those it forgot before to find it; as fast as the package lru-cache,
 * and it runs in a browser. O(1).
 */
export class LruMap<Value> {
  readonly #half: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()

  constructor({ most }: { readonly most: number }) {
    this.#half = Math.max(1, Math.floor(most / 2))
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }
}
