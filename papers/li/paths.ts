import { mean, type Random, variance } from 'revisit/numeric'

/** Means over independent paths, and their standard errors. */
export interface Averaged {
  readonly mean: readonly number[]
  readonly error: readonly number[]
}

/** How many paths, from which chance, and whom to tell how far it is. */
export interface Paths {
  readonly paths: number
  readonly random: Random
  readonly tell?: (share: number) => void
}

/**
 * Measures the same numbers on each of many paths. Visits of one path hang
 * together, so only whole paths give an honest error. Null leaves a path out.
 */
export function overPaths(
  { paths, random, tell }: Paths,
  measure: (random: Random) => readonly number[] | null,
): Averaged {
  const found: (readonly number[])[] = []
  for (let path = 0; path < paths; path++) {
    const values = measure(random.fork())
    if (values !== null) found.push(values)
    tell?.((path + 1) / paths)
  }
  const width = found[0]?.length ?? 0
  const columns = Array.from({ length: width }, (_, i) => found.map((values) => values[i]!))
  return {
    mean: columns.map((values) => mean(values)),
    error: columns.map((values) => Math.sqrt(variance(values) / values.length)),
  }
}

/**
 * The largest distance from the truth in standard errors, at the first places as
 * many as the truth is given for. What the ends of a window of
 * that length take away (a few values of all) is forgiven.
 */
export function worstDeviation(
  found: Averaged,
  { truth, until }: { truth: readonly number[]; until: number },
): number {
  const ends = 3 / until
  return truth.reduce((worst, value, i) => {
    const beyond = Math.max(0, Math.abs(found.mean[i]! - value) - ends)
    return beyond === 0 ? worst : Math.max(worst, beyond / found.error[i]!)
  }, 0)
}

/** Within simulation error: a dozen points of forty paths stay below this in all but one run of thousands. */
export const mostErrors = 5
