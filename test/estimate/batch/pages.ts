import type { Columns } from '../../../src/estimate/batch/index.js'
import { bisect, type Random } from '../../../src/numeric/index.js'

/** One page's gaps, by what was seen in them. */
export interface GapsOfPage {
  readonly changed: readonly number[]
  readonly unchanged: readonly number[]
}

export function columnsFrom(pages: readonly GapsOfPage[]): Columns {
  const offsets = [0]
  const gaps: number[] = []
  const flags: number[] = []
  for (const { changed, unchanged } of pages) {
    gaps.push(...changed, ...unchanged)
    flags.push(...changed.map(() => 1), ...unchanged.map(() => 0))
    offsets.push(gaps.length)
  }
  return {
    offsets: Uint32Array.from(offsets),
    gaps: Float64Array.from(gaps),
    changed: Uint8Array.from(flags),
  }
}

/** The root of eq. 2 between the brackets ln(1 + S/U) / longest and / shortest, to the last bit. */
export function byBisection({ changed, unchanged }: GapsOfPage): number {
  const seen = changed.reduce((sum, gap) => sum + gap, 0)
  const unseen = unchanged.reduce((sum, gap) => sum + gap, 0)
  const ratio = Math.log1p(seen / unseen)
  const shortest = changed.reduce((least, gap) => Math.min(least, gap), Infinity)
  const longest = changed.reduce((most, gap) => Math.max(most, gap), 0)
  const excess = (changeRate: number) =>
    changed.reduce((sum, gap) => sum + gap / Math.expm1(changeRate * gap), 0) - unseen
  return bisect(excess, {
    low: (ratio / longest) * (1 - 1e-12),
    high: (ratio / shortest) * (1 + 1e-12),
  })
}

/** Gaps spread evenly in logarithm between the two powers of ten. */
export function logUniformGaps(
  random: Random,
  { count, powers: [low, high] }: { count: number; powers: readonly [number, number] },
): number[] {
  return Array.from({ length: count }, () => 10 ** (low + (high - low) * random.uniform()))
}
