import { hintWeight, type Json, type PageHints } from '../../model/index.js'
import { toldWorth } from '../../schedule/index.js'

/** Where the store keeps what lists are worth. */
export const listsSetting = 'auto-lists'

/** A list that has not been put to the test counts for so much: else it never would be. */
const untested = 0.3
const fewest = 5
/** At this reliability, by what other pages of its host showed, it has had its chance. */
const doubted = 0.4
const kinds = ['sitemap', 'feed'] as const
/** Lists that are remembered. */
const most = 10_000

/**
 * What looking at each list is worth: the change rates of the pages it tells
 * of, as far as it is to be believed and a visit to them is worth its price.
 * Gathered page by page, O(laws) each.
 */
export class ListWorths {
  readonly #worths = new Map<string, number>()

  static from(json: Json | undefined): ListWorths {
    const worths = new ListWorths()
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return worths
    for (const [list, worth] of Object.entries(json))
      if (typeof worth === 'number' && worth > 0 && worth < Infinity)
        worths.#worths.set(list, worth)
    return worths
  }

  get json(): Json {
    return Object.fromEntries([...this.#worths].slice(0, most))
  }

  /** 0 for a list that tells of nothing. */
  of(list: string): number {
    return this.#worths.get(list) ?? 0
  }

  add(
    { kinds: told }: PageHints,
    page: { readonly belief: Float64Array; readonly price: number; readonly importance: number },
  ): void {
    for (const kind of kinds) {
      const hint = told[kind]
      if (hint?.source == null || hint.claim === null) continue
      const { reliability } = hint.worth ?? { reliability: 0.5 }
      const open = hint.tally.foretold < fewest && reliability > doubted
      const weight = Math.max(hintWeight({ reliability }), open ? untested : 0)
      if (weight > 0) this.#add(hint.source, weight * page.importance * toldWorth(page))
    }
  }

  #add(list: string, worth: number): void {
    this.#worths.set(list, this.of(list) + worth)
  }
}
