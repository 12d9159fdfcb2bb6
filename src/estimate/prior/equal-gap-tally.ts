import { OptionError, type Seconds } from '../../model/index.js'

/**
 * What the first visits to many pages saw, all at one equal gap, counted by
 * what was known before each: after `n` gaps of which `k` changed, how often
 * the next one had changed and how often not. A page's whole short log is in
 * these numbers, since at equal gaps only n and k count.
 */
export class EqualGapTally {
  readonly gap: Seconds
  /** Gaps of a page that count; later ones tell little of a prior. */
  readonly most: number
  readonly #changed: Float64Array
  readonly #unchanged: Float64Array

  constructor({ gap, most }: { readonly gap: Seconds; readonly most: number }) {
    if (!(gap > 0 && gap < Infinity))
      throw new OptionError('bad-gap', `a gap must be a finite time above 0; got ${gap}`)
    if (!(Number.isInteger(most) && most >= 1 && most <= 1000))
      throw new OptionError('bad-count', `most is a whole number from 1 to 1000; got ${most}`)
    this.gap = gap
    this.most = most
    this.#changed = new Float64Array(most * most)
    this.#unchanged = new Float64Array(most * most)
  }

  /** One page's gaps from its first on, changed or not. */
  page(gaps: Iterable<boolean>): void {
    let n = 0
    let k = 0
    for (const changed of gaps) {
      if (n >= this.most) return
      const place = n * this.most + k
      if (changed) this.#changed[place]!++
      else this.#unchanged[place]!++
      n++
      if (changed) k++
    }
  }

  /** Adds another tally of the same gap, `times` times over: -1 takes it away again. */
  add(other: EqualGapTally, { times = 1 }: { readonly times?: number } = {}): void {
    if (other.gap !== this.gap || other.most !== this.most)
      throw new OptionError('bad-tally', 'only tallies of the same gap and length add up')
    for (let i = 0; i < this.#changed.length; i++) {
      this.#changed[i]! += times * other.#changed[i]!
      this.#unchanged[i]! += times * other.#unchanged[i]!
    }
  }

  /** Every (n, k) that was met, with what came next. */
  *met(): Generator<{ n: number; k: number; changed: number; unchanged: number }> {
    for (let n = 0; n < this.most; n++) {
      for (let k = 0; k <= n; k++) {
        const changed = this.#changed[n * this.most + k]!
        const unchanged = this.#unchanged[n * this.most + k]!
        if (changed + unchanged > 0) yield { n, k, changed, unchanged }
      }
    }
  }
}
