import { contextBefore } from './context.js'
import type { Mask, Noise } from './noise.js'
import type { Slot } from './varying-slots.js'

/** A page as several looks within seconds saw it, and the slots in which they differ. */
export interface LookedPage {
  readonly base: readonly string[]
  readonly named: readonly string[]
  readonly slots: readonly Slot[]
  readonly noise: Noise
  readonly lostRuns: readonly Mask[]
  valuesOf(slot: Slot): string[][]
  oldValueOf(slot: Slot): string[] | null
}

/** Tokens right before a place, up to the next one that varies; times count by their form. */
export function stableBefore(page: LookedPage, at: number, most: number): string[] {
  const edge = Math.max(
    0,
    ...page.slots.filter((slot) => slot.end <= at && !isTimes(slot, page)).map(({ end }) => end),
  )
  const room = edge === 0 ? most : Math.min(most, at - edge)
  return contextBefore(page.named, { at, most: room })
}

/** How many tokens after a place, up to so many, come before the next that varies. */
export function stableAfter(page: LookedPage, at: number, most: number): number {
  const next = page.slots.find((slot) => slot.start >= at && slot.end > at && !isTimes(slot, page))
  return next === undefined ? most : Math.min(most, next.start - at)
}

/** Whether a slot holds nothing but times, which a context knows by their form whatever they are. */
function isTimes(slot: Slot, { named }: LookedPage): boolean {
  return named
    .slice(slot.start, slot.end)
    .every((token) => token === '<time>' || token === '<elapsed>')
}
