import { type GridPrior, gridPrior, logGrid, mixedMasses } from '../../estimate/index.js'
import { DAY, type Seconds } from '../../model/index.js'
import type { ReplayCollection } from './collection.js'
import { PageReplay } from './page-replay.js'

/** Change periods of the prior: from ten minutes to ten years. */
const grid = logGrid({ shortest: DAY / 144, longest: 3650 * DAY, nodes: 121 })
/** Further rounds only sharpen spikes. */
const rounds = 60

/**
 * For each source the law of change periods, Poisson each, that all the other
 * sources' pages teach: EM over their whole logs at one equal gap. With no other
 * page to learn from, every period of the grid alike.
 */
export function ratePriorsElsewhere(
  collection: ReplayCollection,
  { gap }: { readonly gap: Seconds },
): (source: number) => GridPrior {
  const bySource: Float64Array[][] = collection.sourceNames.map(() => [])
  for (let page = 0; page < collection.ids.length; page++) {
    const row = likelihoods(collection, { page, gap })
    if (row !== null) bySource[collection.sources[page]!]!.push(row)
  }
  const even = new Float64Array(grid.length).fill(1 / grid.length)
  const priors = new Map<number, GridPrior>()
  const priorFor = (source: number) => {
    const others = bySource.flatMap((rows, each) => (each === source ? [] : rows))
    if (others.length === 0) return gridPrior(grid, even)
    const strength = 0.02 * others.length
    return gridPrior(grid, mixedMasses(others, { towards: even, strength, rounds }))
  }
  return (source) => {
    const prior = priors.get(source) ?? priorFor(source)
    priors.set(source, prior)
    return prior
  }
}

/** How likely a page's log is by change period, the likeliest 1; null where it has no gap. */
function likelihoods(
  collection: ReplayCollection,
  { page, gap }: { page: number; gap: Seconds },
): Float64Array | null {
  const timeline = new PageReplay(collection, page)
  let [visits, changes] = [0, 0]
  for (let at = collection.from[page]! + gap; at <= collection.until[page]!; at += gap) {
    visits++
    if (timeline.advance(at)) changes++
  }
  if (visits === 0) return null
  const row = grid.map((period) => {
    const calm = ((visits - changes) * gap) / period
    return (changes > 0 ? changes * Math.log(-Math.expm1(-gap / period)) : 0) - calm
  })
  const peak = row.reduce((a, b) => Math.max(a, b))
  return row.map((each) => Math.exp(each - peak))
}
