import { request } from '../../api/request.js'
import type { Spark } from '../../charts/spark-line.js'

const atOnce = 100
/** While rows fly by nothing is asked. */
const wait = 120

/** The small time lines of rows in sight, asked for together. */
export class Sparks {
  readonly #changed: () => void
  readonly #known = new Map<string, Spark>()
  readonly #stale = new Set<string>()
  #wanted: readonly string[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #absent = false
  #busy = false

  constructor(changed: () => void) {
    this.#changed = changed
  }

  of(id: string): Spark | undefined {
    return this.#known.get(id)
  }

  /** Asked for anew when wanted; the old one is shown until then. */
  forget(id: string): void {
    this.#stale.add(id)
  }

  want(ids: readonly string[]): void {
    if (this.#absent) return
    this.#wanted = ids.filter((id) => !this.#known.has(id) || this.#stale.has(id)).slice(0, atOnce)
    if (this.#wanted.length === 0 || this.#busy) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#fetch(), wait)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#absent = true
  }

  async #fetch(): Promise<void> {
    this.#busy = true
    try {
      const query = { pages: this.#wanted.join(',') }
      const found = await request('GET timelines', { query })
      for (const [id, line] of Object.entries(found.lines)) {
        this.#known.set(id, line)
        this.#stale.delete(id)
      }
      this.#changed()
    } catch {
      // Rows without their picture are still rows.
      this.#absent = true
    }
    this.#busy = false
  }
}
