import { type Bounds, humanDuration } from '../../model/index.js'

/**
 * Bounds of a change rate as a range of the change period: `2.1 to 5.5 days`,
 * `at least 12 days` where the page may change as seldom as one likes, `at most
 * 3 hours` where it may change as fast as one likes.
 */
export function periodRange(bounds: Bounds | null): string {
  if (bounds === null) return '-'
  const longest = bounds.low > 0 ? 1 / bounds.low : Infinity
  const shortest = bounds.high === null ? 0 : 1 / bounds.high
  const fromAny = !(shortest > 0)
  const toAny = longest === Infinity
  if (fromAny && toAny) return 'unknown'
  if (toAny) return `at least ${humanDuration(shortest)}`
  return fromAny ? `at most ${humanDuration(longest)}` : between({ shortest, longest })
}

function between({ shortest, longest }: { shortest: number; longest: number }): string {
  const [from, fromUnit = ''] = humanDuration(shortest).split(' ')
  const [to, toUnit = ''] = humanDuration(longest).split(' ')
  const sameUnit = fromUnit.replace(/s$/, '') === toUnit.replace(/s$/, '')
  return sameUnit ? `${from} to ${to} ${toUnit}` : `${from} ${fromUnit} to ${to} ${toUnit}`
}
