import { changeSetting, type Store } from '../../model/store.js'
import type { Json, UnixSeconds } from '../../model/units.js'

/** How long the store is not asked again for what other processes changed. */
const remembered = 1

/** A list among the settings of a collection: it outlasts a restart, and holds for all processes on the store. */
export class StoredList<T extends Json> {
  readonly #store: Store
  readonly #where: { readonly collection: string; readonly name: string }
  readonly #isOne: (kept: Json) => kept is T
  #known: { readonly all: readonly T[]; readonly at: UnixSeconds } | undefined

  constructor(
    { store, collection }: { readonly store: Store; readonly collection: string },
    { name, isOne }: { readonly name: string; readonly isOne: (kept: Json) => kept is T },
  ) {
    this.#store = store
    this.#where = { collection, name }
    this.#isOne = isOne
  }

  async all(): Promise<readonly T[]> {
    const { collection, name } = this.#where
    return this.#in(await this.#store.getSetting(collection, name))
  }

  /** The same, a second old at most. */
  async newest(now: UnixSeconds): Promise<readonly T[]> {
    if (this.#known === undefined || Math.abs(now - this.#known.at) >= remembered)
      this.#known = { all: await this.all(), at: now }
    return this.#known.all
  }

  /** Two who change it at once, in whatever process, both have their way. What it was before. */
  async change(changed: (all: readonly T[]) => readonly T[]): Promise<readonly T[]> {
    const before = await changeSetting(this.#store, this.#where, (kept) => changed(this.#in(kept)))
    this.#known = undefined
    return this.#in(before)
  }

  #in(kept: Json | undefined): readonly T[] {
    return Array.isArray(kept) ? kept.filter(this.#isOne) : []
  }
}

/** Whether all of these are texts in what is kept. */
export function hasTexts(kept: Json, names: readonly string[]): boolean {
  if (kept === null || typeof kept !== 'object' || Array.isArray(kept)) return false
  return names.every(
    (name) => typeof (kept as { readonly [name: string]: Json })[name] === 'string',
  )
}
