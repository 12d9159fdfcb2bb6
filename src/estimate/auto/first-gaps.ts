import type { Seconds } from '../../model/index.js'
import { bisect, twoPaceLaws as laws } from '../../numeric/index.js'

/** The latest so many pages: how pages come to be followed may change. */
const room = 2000

/**
 * What the first gaps of a group's pages showed: what tells whether pages are
 * followed from their beginning or from any moment. Pages whose content age
 * was told at the first visit have no place here: of them it is known.
 */
export class FirstGaps {
  readonly #gaps: Seconds[] = []
  readonly #changed: boolean[] = []
  #met = 0

  note({ gap, changed }: { readonly gap: Seconds; readonly changed: boolean }): void {
    const at = this.#met++ % room
    this.#gaps[at] = gap
    this.#changed[at] = changed
  }

  get size(): number {
    return this.#gaps.length
  }

  /** How likely each first gap's find is from a beginning, then from any moment. O(size x laws), less where gaps are equal. */
  likelihoods(masses: Float64Array): Float64Array {
    const rows = new Float64Array(2 * this.size)
    const known = new Map<Seconds, FirstChances>()
    for (let i = 0; i < this.size; i++) {
      const gap = this.#gaps[i]!
      const chances = known.get(gap) ?? firstChances(masses, gap)
      known.set(gap, chances)
      const changed = this.#changed[i]!
      rows[2 * i] = changed ? chances.fresh : 1 - chances.fresh
      rows[2 * i + 1] = changed ? chances.any : 1 - chances.any
    }
    return rows
  }
}

interface FirstChances {
  readonly fresh: number
  readonly any: number
}

/** Chance of a change in a first gap: where a change has just drawn the pace, and in the long run. */
function firstChances(masses: Float64Array, gap: Seconds): FirstChances {
  const stirred = laws.changeRates.map((pace) => -Math.expm1(-pace * gap))
  let [fresh, any] = [0, 0]
  for (let law = 0; law < laws.size; law++) {
    const quick = stirred[laws.fast[law]!]!
    const calm = stirred[laws.slow[law]!]!
    fresh += masses[law]! * (calm + laws.share[law]! * (quick - calm))
    any += masses[law]! * (calm + laws.fastTime[law]! * (quick - calm))
  }
  return { fresh, any }
}

export interface NewShareOptions {
  /** Masses of the laws, as learned from all that pages showed. */
  readonly masses: Float64Array
  /** A share that counts as `strength` pages. */
  readonly towards: number
  readonly strength: number
}

/**
 * The share of a group's pages that are followed from their beginning, from
 * what their first gaps showed under the laws of the group: the likeliest
 * share, drawn to another. News articles are found when they are new, and
 * change most then; pages that someone lists are met at any moment of their
 * lives. The slope of the log likelihood falls all the way, so its root is
 * found by halving: EM would creep, as a first gap tells little.
 */
export function fitNewShare(
  logs: readonly FirstGaps[],
  { masses, towards, strength }: NewShareOptions,
): number {
  const rows = logs.map((log) => log.likelihoods(masses))
  const slope = (share: number) => {
    let total = strength * (towards / share - (1 - towards) / (1 - share))
    for (const row of rows)
      for (let at = 0; at < row.length; at += 2) {
        const chance = share * row[at]! + (1 - share) * row[at + 1]!
        if (chance > 0) total += (row[at]! - row[at + 1]!) / chance
      }
    return total
  }
  if (!(slope(least) > 0)) return least
  if (!(slope(1 - least) < 0)) return 1 - least
  return bisect(slope, { low: least, high: 1 - least })
}

/** Never quite none, never quite all: a group may come to be followed in another way. */
const least = 1e-3
