import { logGamma } from './special-functions.js'

/**
 * A seeded source of randomness: xoshiro128** (Blackman & Vigna 2018), 32-bit
 * operations only, period 2^128 - 1. The same seed gives the same numbers on
 * every machine; `jump` moves 2^64 draws ahead, so parallel streams never meet.
 */
export class Random {
  #a = 0
  #b = 0
  #c = 0
  #d = 0

  /** The seed is spread over the state by splitmix32, so that near seeds give far streams. */
  constructor(seed: number) {
    let z = (seed ^ (seed / 0x1_0000_0000)) | 0
    const spread = () => {
      z = (z + 0x9e3779b9) | 0
      return mixed(z)
    }
    this.#a = spread()
    this.#b = spread()
    this.#c = spread()
    this.#d = spread() || 1
  }

  /**
   * The source of one of many independent things under one seed, such as page
   * `index` of a study: the same whoever asks, in whatever order. Seed and
   * index are whole numbers up to 2^53 and each keeps words of its own in the
   * state, so that (1, 2) and (2, 1), or seeds that lie near, share nothing.
   */
  static stream({ seed, index }: { readonly seed: number; readonly index: number }): Random {
    const source = new Random(0)
    const key = mixed(mixed(seed | 0) ^ (seed / 0x1_0000_0000))
    const place = mixed(mixed(key ^ index) ^ (index / 0x1_0000_0000))
    source.#a = place
    source.#b = mixed(place ^ mixed(key + 0x9e3779b9))
    source.#c = mixed(source.#b + 0x9e3779b9)
    source.#d = mixed(source.#c + 0x9e3779b9) || 1
    return source
  }

  /** 32 random bits as an unsigned integer. */
  bits(): number {
    const b = this.#b
    const five = Math.imul(b, 5)
    const result = Math.imul((five << 7) | (five >>> 25), 9)
    const t = b << 9
    this.#c ^= this.#a
    this.#d ^= b
    this.#b = b ^ this.#c
    this.#a ^= this.#d
    this.#c ^= t
    this.#d = (this.#d << 11) | (this.#d >>> 21)
    return result >>> 0
  }

  /** Uniform on [0, 1), 53 bits. */
  uniform(): number {
    return ((this.bits() >>> 5) * 67108864 + (this.bits() >>> 6)) / 9007199254740992
  }

  /** Uniform on (0, 1], safe to take the logarithm of. */
  positive(): number {
    return 1 - this.uniform()
  }

  /** A whole number from 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.uniform() * count)
  }

  /** Exponential with mean 1. */
  exponential(): number {
    return -Math.log(this.positive())
  }

  /** Standard normal, by the polar method (one of the pair is thrown away: no hidden state). */
  normal(): number {
    for (;;) {
      const u = 2 * this.uniform() - 1
      const v = 2 * this.uniform() - 1
      const s = u * u + v * v
      if (s > 0 && s < 1) return u * Math.sqrt((-2 * Math.log(s)) / s)
    }
  }

  /** Gamma with scale 1 (Marsaglia & Tsang 2000; shapes below 1 by the power of a uniform). */
  gamma(shape: number): number {
    if (shape < 1) return this.gamma(shape + 1) * this.positive() ** (1 / shape)
    const d = shape - 1 / 3
    const c = 1 / Math.sqrt(9 * d)
    for (;;) {
      const x = this.normal()
      const v = (1 + c * x) ** 3
      if (v > 0 && Math.log(this.positive()) < 0.5 * x * x + d - d * v + d * Math.log(v))
        return d * v
    }
  }

  /** Poisson with the given mean: products of uniforms in chunks, so O(mean). */
  poisson(mean: number): number {
    let left = mean
    let count = -1
    let product = 1
    do {
      count++
      product *= this.positive()
      while (product < 1 && left > 0) {
        const chunk = Math.min(left, 500)
        product *= Math.exp(chunk)
        left -= chunk
      }
    } while (product > 1)
    return count
  }

  /** An independent source that starts where this one is; this one jumps 2^64 draws ahead. */
  fork(): Random {
    const child = new Random(0)
    child.#a = this.#a
    child.#b = this.#b
    child.#c = this.#c
    child.#d = this.#d
    this.jump()
    return child
  }

  jump(): void {
    const polynomial = [0x8764000b, 0xf542d2d3, 0x6fa035c3, 0x77f2db5b]
    let [a, b, c, d] = [0, 0, 0, 0]
    for (const word of polynomial) {
      for (let bit = 0; bit < 32; bit++) {
        if ((word >>> bit) & 1) {
          a ^= this.#a
          b ^= this.#b
          c ^= this.#c
          d ^= this.#d
        }
        this.bits()
      }
    }
    this.#a = a
    this.#b = b
    this.#c = c
    this.#d = d
  }
}

/** Spreads a word over 32 bits; one to one (the finisher of splitmix32). */
function mixed(word: number): number {
  let t = word ^ (word >>> 16)
  t = Math.imul(t, 0x21f0aaad)
  t = Math.imul(t ^ (t >>> 15), 0x735a2d97)
  return (t ^ (t >>> 15)) | 0
}

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
