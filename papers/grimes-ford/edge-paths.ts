import { GrowingMle } from 'revisit/estimators'
import { HOUR, type Seconds } from 'revisit/model'
import { median, Random } from 'revisit/numeric'

/** Which of eq. 2's undefined cases an estimate is, if any. */
export type Edge = 'no change seen' | 'always changed' | 'none'

export interface PathStep {
  readonly visit: number
  readonly changePeriod: Seconds
  readonly edge: Edge
}

/** A page that changes every day, visited at 80% of what the MLE says: Figure 2. */
export const truth = 24 * HOUR
const longestStart = 700 * HOUR
const gapShare = 0.8

export function edgePath(
  random: Random,
  { firstGap, visits }: { readonly firstGap: Seconds; readonly visits: number },
): PathStep[] {
  const growing = new GrowingMle({ firstPeriod: firstGap })
  let changes = 0
  return Array.from({ length: visits }, (_, i) => {
    const gap = i === 0 ? firstGap : gapShare * growing.changePeriod()
    const changed = random.uniform() < -Math.expm1(-gap / truth)
    growing.see({ gap, changed })
    if (changed) changes++
    const visit = i + 1
    const edge = changes === 0 ? 'no change seen' : changes === visit ? 'always changed' : 'none'
    return { visit, changePeriod: growing.changePeriod(), edge }
  })
}

/** The 50 paths of the figure, from first gaps spread evenly between 0 and 700 hours. */
export function figurePaths(seed: number): PathStep[][] {
  const random = new Random(seed)
  return Array.from({ length: 50 }, (_, i) =>
    edgePath(random, { firstGap: ((i + 0.5) / 50) * longestStart, visits: 50 }),
  )
}

export interface EdgeStudy {
  /** Share of the first 10, and 15, estimates that are edge cases. */
  readonly firstTen: number
  readonly firstFifteen: number
  /** By first gap: share of edge cases among 15, and median absolute error at visit 5 and 15. */
  readonly byStart: readonly {
    readonly firstGap: Seconds
    readonly edges: number
    readonly errorAtFive: Seconds
    readonly errorAtFifteen: Seconds
  }[]
}

/** The same from seven first gaps, many paths each, so that the shares are not chance. */
export function edgeStudy({
  paths,
  seed,
}: {
  readonly paths: number
  readonly seed: number
}): EdgeStudy {
  const random = new Random(seed)
  const starts = [6, 24, 50, 150, 250, 350, 450, 550, 650]
  const all = starts.map((hours) => ({
    firstGap: hours * HOUR,
    paths: Array.from({ length: paths }, () =>
      edgePath(random, { firstGap: hours * HOUR, visits: 15 }),
    ),
  }))
  const even = all.filter(({ firstGap }) => firstGap >= 50 * HOUR).flatMap((each) => each.paths)
  return {
    firstTen: edgeShare(even, 10),
    firstFifteen: edgeShare(even, 15),
    byStart: all.map((each) => ({
      firstGap: each.firstGap,
      edges: edgeShare(each.paths, 15),
      errorAtFive: errorAt(each.paths, 5),
      errorAtFifteen: errorAt(each.paths, 15),
    })),
  }
}

function edgeShare(paths: readonly PathStep[][], visits: number): number {
  const steps = paths.flatMap((path) => path.slice(0, visits))
  return steps.filter(({ edge }) => edge !== 'none').length / steps.length
}

function errorAt(paths: readonly PathStep[][], visit: number): Seconds {
  return median(paths.map((path) => Math.abs(path[visit - 1]!.changePeriod - truth)))
}
