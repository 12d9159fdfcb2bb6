import { DAY, type Seconds } from '../../model/index.js'
import { twoPaceLaws } from '../../numeric/index.js'
import { nextPrice, noPrice, type PriceState } from '../../schedule/index.js'
import { type AutoPages, stages } from './auto-pages.js'

/** The first price, before the first morning. */
const usualPrice = 6 * 3600

/** The price of a request, set each morning so that what is believed of all pages asks for the budget. */
export class AutoBudget {
  price: Seconds
  readonly #perDay: number
  readonly #isFixed: boolean
  readonly #masses = new Float64Array(twoPaceLaws.size)
  #state: PriceState = noPrice
  #allowed = 0

  constructor({ perDay, fixedPrice }: { readonly perDay: number; readonly fixedPrice?: number }) {
    this.#perDay = perDay
    this.#isFixed = fixedPrice !== undefined
    this.price = fixedPrice ?? usualPrice
  }

  /** The price of a day, from what pages were allowed and have spent so far. */
  setPrice(pages: AutoPages, morning: Seconds): void {
    if (this.#isFixed) return
    const masses = this.#masses.fill(0)
    let [accrued, present, planned] = [0, 0, 0]
    for (let page = 0; page < pages.size; page++) {
      accrued += accruedBy(pages, { page, now: morning })
      if (pages.stage[page] === stages.over || pages.collection.from[page]! >= morning + DAY)
        continue
      present++
      planned += this.#planned(pages, page)
      addMasses(pages, { page, masses })
    }
    if (present === 0) return
    const budget = (this.#perDay * present) / DAY
    this.#state = nextPrice(this.#state, {
      masses,
      planned,
      budget,
      owed: this.#allowed - accrued,
    })
    this.price = this.#state.price!
  }

  /** Grants the visits of a day, for the part of it that each page was there. */
  allow({ collection: { from, until } }: AutoPages, morning: Seconds): void {
    for (let page = 0; page < from.length; page++) {
      const there = Math.min(until[page]!, morning + DAY) - Math.max(from[page]!, morning)
      this.#allowed += (this.#perDay * Math.max(0, there)) / DAY
    }
  }

  /** Visits a second of the running gap; of a page not seen yet, the budget's share. */
  #planned({ stage, due, states }: AutoPages, page: number): number {
    if (stage[page] === stages.ahead) return this.#perDay / DAY
    return 1 / Math.max(60, due[page]! - states[page]!.at)
  }
}

/**
 * Visits made, with the share of the running gap that has passed: otherwise
 * pages that all began at once would seem to spend nothing until all are due.
 * Half a visit less once a page was seen twice, which is what runs on average.
 */
function accruedBy(pages: AutoPages, { page, now }: { page: number; now: Seconds }): number {
  const { visits, firstVisits } = pages.scores[page]!
  const made = visits - firstVisits
  if (pages.stage[page] !== stages.followed) return made
  const { at } = pages.states[page]!
  const share = Math.min(1, (now - at) / Math.max(1, pages.due[page]! - at))
  return made + share - (made > 0 ? 0.5 : 0)
}

/** Adds what is believed of a page, law by law. */
function addMasses(
  pages: AutoPages,
  { page, masses }: { page: number; masses: Float64Array },
): void {
  const { law: known, learner } = pages.groupOf(page)
  if (pages.stage[page] === stages.ahead) {
    for (let law = 0; law < masses.length; law++) masses[law]! += known.masses[law]!
    return
  }
  const belief = learner.belief(pages.states[page]!.memory)
  for (let law = 0; law < masses.length; law++)
    masses[law]! += belief[2 * law]! + belief[2 * law + 1]!
}
