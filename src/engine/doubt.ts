import type { PageRecord } from '../model/index.js'

/**
 * Chance that a page is asked for its content though it could be asked whether
 * it changed, to catch a 304 that lies: `usual`, and more while all that the
 * server goes by is a date that was never seen to move with the content.
 * Such a page seems not to change, so it is rarely visited: with the usual
 * share alone its copy would be stale for months.
 */
export function doubtOf(
  { changes, visits, validators }: Pick<PageRecord, 'changes' | 'visits' | 'validators'>,
  usual: number,
): number {
  if (usual === 0 || changes > 0 || validators.etag !== undefined) return usual
  return Math.max(usual, 1 / Math.max(1, visits))
}
