import { upTo } from './integral.js'
import type { Law } from './laws.js'
import type { Spacing } from './spacings.js'

/** What a law of updates and a law of visit gaps make together. */
export interface Watching {
  readonly law: Law
  readonly spacing: Spacing
}

/** p, the share of content ages that M1 keeps: E[G(S)], eq. 5. */
export function keptShare({ law, spacing }: Watching): number {
  return spacing.expect((gap) => 1 - law.contentTail(gap))
}

/** M1's tail, eq. 8. */
export function m1Tail(watching: Watching): (x: number) => number {
  const { law, spacing } = watching
  const kept = keptShare(watching)
  return (x) => spacing.expect((gap) => law.contentTail(x) - law.contentTail(x + gap)) / kept
}

/** The same by eq. 10, from the tail of update gaps alone. */
export function m1TailByGaps({ law, spacing }: Watching): (x: number) => number {
  const { longest = Infinity } = law
  const from = (x: number) =>
    spacing.expect((gap) => upTo(Math.min(gap, longest - x), (y) => law.gapTail(x + y)))
  const whole = from(0)
  return (x) => from(x) / whole
}

/** M3's tail at n gaps of delta, eq. 18. */
export function m3Tail({ law, delta }: { law: Law; delta: number }): (n: number) => number {
  const tail = (n: number) => law.contentTail(n * delta)
  return (n) => (tail(n) - tail(n + 1)) / (1 - tail(1))
}

/**
 * G-M4's tail at exponential gaps of mean 1: content age plus the rest of the
 * gap in which the change fell, which is exponential and independent of it.
 */
export function gM4Tail(law: Law): (x: number) => number {
  return (x) => Math.exp(-x) + upTo(x, (b) => Math.exp(-b) * law.contentTail(x - b))
}

/** The mean of G over the bin (y - h, y], which is what M6 holds in it. */
export function binMean(law: Law, { y, h }: { y: number; h: number }): number {
  return upTo(h, (b) => 1 - law.contentTail(y - h + b)) / h
}

/** The means of M3's and M4's values: delta times the sums of their tails over whole gaps. */
export function meanValues({ law, delta }: { law: Law; delta: number }): {
  d3: number
  d4: number
} {
  const d3 = delta / (1 - law.contentTail(delta))
  let d4 = 0
  const terms = 1e6
  for (let n = terms - 1; n >= 0; n--) d4 += law.contentTail(n * delta)
  // What is beyond a million terms, by the integral from half a term before.
  const rest =
    upTo(1, (u) => law.contentTail(((terms - 0.5) * delta) / u) / (u * u)) * (terms - 0.5)
  return { d3, d4: delta * (d4 + rest) }
}
