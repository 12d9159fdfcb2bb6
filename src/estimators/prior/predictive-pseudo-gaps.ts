import { OptionError } from '../../model/errors.js'
import type { Seconds } from '../../model/units.js'
import type { PseudoGaps } from '../rate/irregular-mle.js'

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

export interface PredictiveFit {
  readonly pseudoGaps: PseudoGaps
  /** Mean -ln of the chance that was given to what then happened; 0 is a perfect forecast. */
  readonly loss: number
  /** Gaps that were predicted. */
  readonly gaps: number
}

/** The search, in powers of two of the gap: a changed pseudo-gap of 1/16 to 1024 gaps, and so on. */
const box = { changed: { low: -4, high: 10 }, unchanged: { low: -8, high: 7 } } as const
const coarse = 2
const finest = 0.1

/**
 * The two pseudo-gaps under which the estimate predicts best whether the next
 * visit will see a change: least logarithmic loss over short logs of other
 * pages, each gap predicted from those before it with the estimate that a
 * crawler would have had (prequential). Null where there is nothing to fit on.
 *
 * `fitPseudoGaps` matches a law of change periods instead. Real pages' periods
 * spread over four powers of ten, far wider than two pseudo-gaps can be
 * (coefficient of variation .707 to 1), and then the nearest pair is a strong
 * and wrong prior: it made real replays staler than no prior. This fit need
 * not be as wide as the law; where no pair helps it ends at a weak one.
 *
 * Dawid 1984 (prequential forecasts); Grimes & Ford 4.4 (pseudo-gaps). A coarse
 * grid, then a compass search: about 120 pairs, each O(most^2).
 */
export function predictivePseudoGaps(tally: EqualGapTally): PredictiveFit | null {
  const met = [...tally.met()]
  const gaps = met.reduce((sum, each) => sum + each.changed + each.unchanged, 0)
  if (gaps === 0) return null
  const cost = (point: Point) => meanLoss(met, { point, gaps })
  const best = refined(gridBest(cost), cost)
  const { gap } = tally
  return {
    pseudoGaps: { changed: gap * 2 ** best.changed, unchanged: gap * 2 ** best.unchanged },
    loss: best.loss,
    gaps,
  }
}

interface Point {
  readonly changed: number
  readonly unchanged: number
}
type Tried = Point & { readonly loss: number }
type Met = ReturnType<EqualGapTally['met']> extends Generator<infer Each> ? Each : never

function gridBest(cost: (point: Point) => number): Tried {
  let best: Tried = { changed: 0, unchanged: 0, loss: Infinity }
  for (let changed = box.changed.low; changed <= box.changed.high; changed += coarse) {
    for (let unchanged = box.unchanged.low; unchanged <= box.unchanged.high; unchanged += coarse) {
      const loss = cost({ changed, unchanged })
      if (loss < best.loss) best = { changed, unchanged, loss }
    }
  }
  return best
}

function refined(start: Tried, cost: (point: Point) => number): Tried {
  let best = start
  for (let step = coarse / 2; step >= finest; ) {
    const next = neighbours(best, step)
      .map((point) => ({ ...point, loss: cost(point) }))
      .reduce((least, each) => (each.loss < least.loss ? each : least), best)
    if (next === best) step /= 2
    best = next
  }
  return best
}

function neighbours({ changed, unchanged }: Point, step: number): Point[] {
  const around = [
    { changed: changed - step, unchanged },
    { changed: changed + step, unchanged },
    { changed, unchanged: unchanged - step },
    { changed, unchanged: unchanged + step },
  ]
  return around.filter(
    (point) =>
      point.changed >= box.changed.low &&
      point.changed <= box.changed.high &&
      point.unchanged >= box.unchanged.low &&
      point.unchanged <= box.unchanged.high,
  )
}

/** Lengths are in gaps, so the chance of a change in the next gap is 1 - e^-changeRate. */
function meanLoss(
  met: readonly Met[],
  { point, gaps }: { readonly point: Point; readonly gaps: number },
): number {
  const pseudo = { changed: 2 ** point.changed, unchanged: 2 ** point.unchanged }
  let loss = 0
  for (const { n, k, changed, unchanged } of met) {
    const changeRate = mostLikelyAtEqualGaps({ k, unchangedGaps: n - k }, pseudo)
    if (unchanged > 0) loss += unchanged * changeRate
    if (changed > 0) loss -= changed * Math.log(-Math.expm1(-changeRate))
  }
  return loss / gaps
}

/**
 * Grimes & Ford eq. 2 for k changed and n unchanged gaps of length 1 and
 * the pair: the root of k / (e^r - 1) + c / (e^(rc) - 1) = n + u. As
 * rate/likelihood.ts climbs to it gap by gap, but with the k equal gaps as one
 * term, which makes the fit several times as fast.
 */
function mostLikelyAtEqualGaps(
  { k, unchangedGaps }: { readonly k: number; readonly unchangedGaps: number },
  { changed, unchanged }: PseudoGaps,
): number {
  const exposure = unchangedGaps + unchanged
  const hidden = k + changed
  let root = (Math.log1p(hidden / exposure) * (k + 1)) / hidden
  for (let round = 0; round < 100; round++) {
    const seen = 1 / Math.expm1(root)
    const pseudo = changed / Math.expm1(root * changed)
    const value = k * seen + pseudo - exposure
    const step = value / (k * seen * (seen + 1) + pseudo * (pseudo + changed))
    if (!(step > 1e-12 * root)) break
    root += step
  }
  return root
}
