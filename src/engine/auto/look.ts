import type { PageRecord } from '../../model/index.js'
import { CollectionStatistics, sampleStride } from '../../planner/index.js'
import type { Objective } from '../../schedule/index.js'
import { pageHintsFrom } from '../hints/kept-hints.js'
import { ListWorths } from './list-worths.js'

/** Lists whose next visits are planned anew. */
const mostLists = 5_000
/** Pages in the sample of an objective that few have. */
const fewest = 30

/** What one look at all pages gathers; bounded, whatever their number. */
export class Look {
  readonly statistics = new CollectionStatistics()
  /** An even sample of the pages that follow the default. */
  readonly sample: PageRecord[] = []
  /** Sitemaps and feeds whose word is heard, and what looking at each is worth. */
  readonly lists: PageRecord[] = []
  readonly worths = new ListWorths()
  readonly pages: number
  readonly #stride: number
  readonly #met = new Map<Objective, number>()

  constructor({ pages }: { readonly pages: number }) {
    this.pages = pages
    this.#stride = sampleStride(pages)
  }

  /** A page whose hints are heard. */
  hear(
    page: PageRecord,
    { belief, price }: { readonly belief: Float64Array; readonly price: number },
  ): void {
    const { importance, settings, hints } = page
    if (settings.role === 'list' && this.lists.length < mostLists) this.lists.push(page)
    if (hints !== null) this.worths.add(pageHintsFrom(hints), { belief, price, importance })
  }

  /** Each objective has its own price: where few pages have one, they are still in the sample. */
  take(page: PageRecord, objective: Objective = 'freshness'): void {
    const met = this.#met.get(objective) ?? 0
    this.#met.set(objective, met + 1)
    const rare = objective !== 'freshness' && met < fewest
    if (rare || met % this.#stride === 0) this.sample.push(page)
  }
}
