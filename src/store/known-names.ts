/** Enough for the hosts at work; beyond it they are read again. */
const most = 50_000

/** Ids and names that stand for each other, as they were last read. */
export class KnownNames {
  readonly #ids = new Map<string, number>()
  readonly #names = new Map<number, string>()

  id(name: string): number | undefined {
    return this.#ids.get(name)
  }

  name(id: number): string | undefined {
    return this.#names.get(id)
  }

  keep(name: string, id: number): void {
    if (this.#ids.size >= most) this.clear()
    this.#ids.set(name, id)
    this.#names.set(id, name)
  }

  clear(): void {
    this.#ids.clear()
    this.#names.clear()
  }
}
