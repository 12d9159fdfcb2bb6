import type { PageColumns } from './allocation.js'
import { gainInverse, visitsPerChange } from './gain-inverse.js'
import { type PricePoint, type Reading, searchPrice } from './price-search.js'

/** Pages whose gain is this near to 1 are followed one by one; some in a hundred. */
const NEAR = 0.01
/** Largest move of ln(price) for which two derivatives tell the spending of the others to 1e-12. */
const SMALL_MOVE = 3e-5
/** Share of near pages from which their list would cost more than it saves. */
const MANY = 0.1
const BLOCK = 1024

/**
 * From a good price to the exact one in a single pass over the pages: a page
 * far from being given up spends smoothly, so that for a small move its first
 * two derivatives say enough, summed over all; only those about to be given
 * up, or to be taken back, must be asked again at each price. Null if the move
 * was not small or too many are near. The caller checks the spending.
 */
export function refinePrice(
  { pages, keys }: { pages: PageColumns; keys: Float64Array },
  { budget, start }: { budget: number; start: number },
  measure: (pages: PageColumns, keys: Float64Array, price: number) => Reading,
): PricePoint | null {
  const found = split({ pages, keys, price: start })
  if (found === null) return null
  const { spent, slope, bend, near } = found
  const demand = (price: number): Reading => {
    const move = Math.log(price / start)
    const few = measure({ changeRates: near.amounts }, near.keys, price)
    return {
      spent: few.spent + spent + move * (slope + (move * bend) / 2),
      slope: few.slope + slope + move * bend,
    }
  }
  const first = demand(start)
  // Refused before the search, whose parabola may have no root far away.
  if (!(Math.abs(first.spent - budget) <= SMALL_MOVE * Math.abs(first.slope))) return null
  const point = searchPrice(demand, { budget, start })
  return Math.abs(Math.log(point.high / start)) <= SMALL_MOVE ? point : null
}

interface Split {
  /** Of the pages that are not near: the spending and its derivatives by ln(price). */
  readonly spent: number
  readonly slope: number
  readonly bend: number
  readonly near: { readonly amounts: Float64Array; readonly keys: Float64Array }
}

function split(at: { pages: PageColumns; keys: Float64Array; price: number }): Split | null {
  const { keys, price } = at
  const { changeRates, costs } = at.pages
  const rows = gainInverse()
  const amounts: number[] = []
  const nearKeys: number[] = []
  let [spent, slope, bend] = [0, 0, 0]
  for (let from = 0; from < keys.length; from += BLOCK) {
    const to = Math.min(keys.length, from + BLOCK)
    let [blockSpent, blockSlope, blockBend] = [0, 0, 0]
    for (let i = from; i < to; i++) {
      const gain = keys[i]! * price
      if (gain > 1 + NEAR) continue
      const amount = costs === undefined ? changeRates[i]! : changeRates[i]! * costs[i]!
      if (gain < 1 - NEAR) {
        const h = visitsPerChange(rows, gain)
        const over = 1 / (1 - gain)
        // With h = 1/x: dh = -fall d ln(price), and d fall = fall (1 - gain h (2 + 3 h)) / (1 - gain).
        const fall = amount * h * h * (1 + h) * gain * over
        blockSpent += amount * h
        blockSlope -= fall
        blockBend -= fall * (1 - gain * h * (2 + 3 * h)) * over
      } else {
        amounts.push(amount)
        nearKeys.push(keys[i]!)
      }
    }
    if (amounts.length > keys.length * MANY) return null
    spent += blockSpent
    slope += blockSlope
    bend += blockBend
  }
  const near = { amounts: Float64Array.from(amounts), keys: Float64Array.from(nearKeys) }
  return { spent, slope, bend, near }
}
