import type { PerSecond, Seconds } from '../../model/index.js'
import { evenFreshness } from '../../schedule/index.js'

/** Bins a factor of e^(1/16) wide: the freshness of a page is wrong by 0.9 percent at most, and that of many by far less. */
const perE = 16

/** Importance by change rate, in fixed space however many pages there are. */
export class RateBins {
  readonly #weights = new Map<number, number>()

  add(changeRate: PerSecond, weight: number): void {
    const key = Math.round(Math.log(changeRate) * perE)
    this.#weights.set(key, (this.#weights.get(key) ?? 0) + weight)
  }

  /** Mean freshness if every page were visited at this gap. */
  freshnessAt(gap: Seconds): number {
    let fresh = 0
    let total = 0
    for (const [key, weight] of this.#weights) {
      fresh += weight * evenFreshness({ changeRate: Math.exp(key / perE), visitRate: 1 / gap })
      total += weight
    }
    return total > 0 ? fresh / total : 1
  }
}

const shortest: Seconds = 1e-3
const longest: Seconds = 1e12

/** The one gap for all pages that gives this freshness; null where none within reason does. */
export function commonGap(bins: RateBins, freshness: number): Seconds | null {
  if (!(bins.freshnessAt(shortest) >= freshness && bins.freshnessAt(longest) <= freshness))
    return null
  let [low, high] = [Math.log(shortest), Math.log(longest)]
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (bins.freshnessAt(Math.exp(middle)) >= freshness) low = middle
    else high = middle
  }
  return Math.exp((low + high) / 2)
}
