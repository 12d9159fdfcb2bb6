import type { RandomSource } from '../../model/index.js'

/** Draws an index with chances in the ratio of the given masses, one of which is above 0. O(n). */
export function chooser(masses: Float64Array): (random: RandomSource) => number {
  const upTo = new Float64Array(masses.length)
  let total = 0
  let last = 0
  for (let i = 0; i < masses.length; i++) {
    total += masses[i]!
    upTo[i] = total
    if (masses[i]! > 0) last = i
  }
  return (random) => {
    const drawn = random.uniform() * total
    let index = 0
    while (index < last && drawn >= upTo[index]!) index++
    return index
  }
}
