/**
 * How much a hint counts as evidence, from 0 to 1: twice what its reliability
 * is above even odds. Nothing at 0.5 and below: a hint that lies is not turned
 * round, it is left out.
 */
export function hintWeight({ reliability }: { readonly reliability: number }): number {
  return Math.min(1, Math.max(0, 2 * reliability - 1)) || 0
}
