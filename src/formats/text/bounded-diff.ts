import { diffArrays } from 'diff'

/** A stretch of two lists: in both, or in one of them only. */
export interface DiffRun {
  readonly value: readonly string[]
  readonly added: boolean
  readonly removed: boolean
}

/**
 * The shortest way from one list to another; null where it takes more edits than
 * `mostEdits`. What differs in too many items is known by counting them, before
 * any way is looked for. O(n + edits²) [Myers 1986].
 */
export function boundedDiff(
  old: readonly string[],
  young: readonly string[],
  { mostEdits }: { readonly mostEdits: number },
): readonly DiffRun[] | null {
  if (leastEdits(old, young) > mostEdits) return null
  return diffArrays(old as string[], young as string[], { maxEditLength: mostEdits }) ?? null
}

/** Items that one list has more often than the other: so many edits are needed at least. O(n). */
function leastEdits(old: readonly string[], young: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const item of old) counts.set(item, (counts.get(item) ?? 0) + 1)
  for (const item of young) counts.set(item, (counts.get(item) ?? 0) - 1)
  let edits = 0
  for (const count of counts.values()) edits += Math.abs(count)
  return edits
}
