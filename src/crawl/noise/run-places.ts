import { startsAt } from './context.js'
import type { Slot } from './varying-slots.js'

/** Steps for all places of a page together: going through the page for each of them took minutes. */
const mostSteps = 4_000_000

/** Words before and after a stretch of at most so many tokens. */
export interface Around {
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly most: number
}

/**
 * Where words stand around a stretch, on one page asked for many of them: the
 * rarest word before it is looked up, so that a question costs its places and
 * not the page. When the steps are used up the answer is no.
 */
export class RunPlaces {
  readonly #named: readonly string[]
  readonly #places = new Map<string, number[]>()
  #left = mostSteps

  /** Of the tokens as a context names them. */
  constructor(named: readonly string[]) {
    this.#named = named
    for (const [i, token] of named.entries()) {
      const places = this.#places.get(token)
      if (places === undefined) this.#places.set(token, [i])
      else places.push(i)
    }
  }

  /** Whether a test holds for each stretch that these words stand around. */
  allFit(around: Around, test: (run: Slot) => boolean): boolean {
    if (this.#left < 0) return false
    const starts = this.#starts(around.before)
    for (const [i, start] of starts.entries()) {
      const end = this.#endFrom(start, {
        ...around,
        limit: starts[i + 1] ?? this.#named.length + 1,
      })
      if (this.#left < 0) return false
      if (end !== -1 && !test({ start, end })) return false
    }
    return this.#left >= 0
  }

  /** Places right after these words, in order. */
  #starts(before: readonly string[]): number[] {
    const offset = this.#rarest(before)
    const candidates =
      offset === -1
        ? Array.from({ length: before.length }, (_, i) => i)
        : (this.#places.get(before[offset]!) ?? []).map((at) => at + before.length - offset)
    this.#left -= candidates.length
    const named = this.#named
    return candidates.filter((at) =>
      before.every((token, i) => (named[at - before.length + i] ?? '') === token),
    )
  }

  /** Which of the words stands at the fewest places; -1 where one is beyond the first of the page. */
  #rarest(before: readonly string[]): number {
    if (before.includes('')) return -1
    const counts = before.map((token) => this.#places.get(token)?.length ?? 0)
    return counts.indexOf(Math.min(...counts))
  }

  /** Where the words after it first stand from a start on; -1 where too far, or after the next start. */
  #endFrom(start: number, { after, most, limit }: Around & { limit: number }): number {
    const last = Math.min(start + most, limit - 1)
    for (let i = start; i <= last; i++) {
      if (--this.#left < 0) return -1
      if (startsAt(this.#named, i, after)) return i
    }
    return -1
  }
}
