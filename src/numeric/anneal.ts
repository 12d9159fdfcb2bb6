import type { Random } from './random.js'

export interface AnnealOptions {
  /** What is to be made small; finite and zero or more. */
  readonly cost: (point: Float64Array) => number
  /** The box that is searched, one pair of ends a dimension. */
  readonly low: ArrayLike<number>
  readonly high: ArrayLike<number>
  readonly start: ArrayLike<number>
  /** The first temperature: an increase of cost that is often kept at the beginning. */
  readonly hot: number
  readonly steps: number
  readonly random: Random
}

export interface Annealed {
  readonly point: Float64Array
  readonly cost: number
}

/** The temperature falls in equal ratios by this factor from the first step to the last. */
const cooling = 1e-5
/** Moves widen when kept and narrow when not, so that about three in ten are kept. */
const [wider, narrower, widest, narrowest] = [1.2, 0.93, 0.25, 1e-9]

/**
 * A low point of a cost over a box by a Metropolis-Hastings chain with
 * simulated annealing: a random move is kept if it lowers the cost, and
 * otherwise with chance e^(-increase / temperature), so that early on the chain
 * leaves local minima. Moves start at a quarter of the box, follow the share
 * that is kept, and are turned back at the walls; now and then one is far
 * longer (Cauchy lengths), so that a chain whose moves became short too soon is
 * not stuck. Gives the best point met. `steps` evaluations.
 *
 * Metropolis et al. 1953; Kirkpatrick, Gelatt & Vecchi 1983; Szu & Hartley 1987.
 */
export function anneal({ cost, low, high, start, hot, steps, random }: AnnealOptions): Annealed {
  let here = Float64Array.from(start)
  let costHere = cost(here)
  let best: Annealed = { point: here, cost: costHere }
  let width = widest
  for (let step = 0; step < steps; step++) {
    const temperature = hot * cooling ** (step / steps)
    const reach = width / Math.max(1e-9, Math.abs(random.normal()))
    const next = here.map((x, i) =>
      inside(x + reach * (high[i]! - low[i]!) * random.normal(), { low: low[i]!, high: high[i]! }),
    )
    const costNext = cost(next)
    const kept =
      costNext <= costHere || random.uniform() < Math.exp((costHere - costNext) / temperature)
    width = Math.min(widest, Math.max(narrowest, width * (kept ? wider : narrower)))
    if (!kept) continue
    here = next
    costHere = costNext
    if (costHere < best.cost) best = { point: here, cost: costHere }
  }
  return best
}

/** Turned back at a wall; a move wider than the box ends at the far wall. */
function inside(x: number, { low, high }: { low: number; high: number }): number {
  const turned = x < low ? 2 * low - x : x > high ? 2 * high - x : x
  return Math.min(high, Math.max(low, turned))
}
