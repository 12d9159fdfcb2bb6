import { hyperexponentialLaws as laws } from '../../numeric/hyperexponential.js'
import { likelihoodsAt } from '../posterior/likelihoods.js'

export interface MassOptions {
  /** Masses that count as `strength` pages; evenly spread over the laws by default. */
  readonly towards?: Float64Array
  /** As how many pages `towards` counts; 2% of the pages by default. */
  readonly strength?: number
  /** Where to start; at `towards` by default. */
  readonly start?: Float64Array
  /** Rounds of EM; 40 by default: further ones only sharpen spikes. */
  readonly rounds?: number
}

/**
 * The masses of the laws under which pages are likeliest, from their memories
 * alone: EM for a mixture, shrunk towards other masses. A group of few pages ends
 * near those, a large one near its own. O(pages x laws) a round.
 *
 * Laird 1978.
 */
export function fitMasses(
  memories: Iterable<Float64Array>,
  options: MassOptions = {},
): Float64Array {
  const rows = [...memories].map(lawRow)
  const towards = options.towards ?? new Float64Array(laws.size).fill(1 / laws.size)
  const strength = options.strength ?? Math.max(1e-6, 0.02 * rows.length)
  return mixedMasses(rows, { ...options, towards, strength })
}

/** The likelihood of each law, whatever the rate. */
export function lawRow(memory: Float64Array): Float64Array {
  const row = new Float64Array(laws.size)
  for (let law = 0, at = likelihoodsAt; law < laws.size; law++, at += 2)
    row[law] = memory[at]! + memory[at + 1]!
  return row
}

/** EM on rows of likelihoods, for callers that keep them. */
export function mixedMasses(
  rows: Iterable<Float64Array>,
  {
    towards,
    strength,
    start = towards,
    rounds = 40,
  }: MassOptions & { towards: Float64Array; strength: number },
): Float64Array {
  const masses = Float64Array.from(start)
  const pull = new Float64Array(masses.length)
  for (let round = 0; round < rounds; round++) {
    pull.fill(0)
    let pages = 0
    for (const row of rows) {
      let total = 0
      for (let law = 0; law < row.length; law++) total += masses[law]! * row[law]!
      if (!(total > 0)) continue
      pages++
      const scale = 1 / total
      for (let law = 0; law < row.length; law++) pull[law]! += row[law]! * scale
    }
    for (let law = 0; law < masses.length; law++)
      masses[law] = (masses[law]! * pull[law]! + strength * towards[law]!) / (pages + strength)
  }
  return masses
}
