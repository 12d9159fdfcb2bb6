import { logGamma } from './gamma.js'

/**
 * A Poisson number of the given mean, in constant time: inversion from one
 * uniform below a mean of 10, above it the transformed rejection PTRS (1.2
 * pairs of uniforms at most). 0 for a mean of 0. Beyond a mean of 1e12
 * rounding blurs the law.
 *
 * Hörmann 1993, "The transformed rejection method for generating Poisson random variables".
 */
export function poissonCount(random: { uniform(): number }, mean: number): number {
  return mean < 10 ? byInversion(random, mean) : byRejection(random, mean)
}

function byInversion(random: { uniform(): number }, mean: number): number {
  let left = random.uniform()
  let chance = Math.exp(-mean)
  let count = 0
  while (left >= chance && count < 200) {
    left -= chance
    count++
    chance *= mean / count
  }
  return count
}

function byRejection(random: { uniform(): number }, mean: number): number {
  const b = 0.931 + 2.53 * Math.sqrt(mean)
  const a = -0.059 + 0.02483 * b
  const inverseAlpha = 1.1239 + 1.1328 / (b - 3.4)
  const squeeze = 0.9277 - 3.6224 / (b - 2)
  for (;;) {
    const u = random.uniform() - 0.5
    const v = random.uniform()
    const edge = 0.5 - Math.abs(u)
    const count = Math.floor(((2 * a) / edge + b) * u + mean + 0.43)
    if (edge >= 0.07 && v <= squeeze) return count
    if (count < 0 || (edge < 0.013 && v > edge)) continue
    const logHat = Math.log((v * inverseAlpha) / (a / (edge * edge) + b))
    if (logHat <= -mean + count * Math.log(mean) - logGamma(count + 1)) return count
  }
}
