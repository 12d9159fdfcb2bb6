import { contextBefore } from './context.js'
import type { Mask, Noise } from './noise.js'
import type { RunPlaces } from './run-places.js'
import type { Slot } from './varying-slots.js'

/** A page as several looks within seconds saw it, and the slots in which they differ. */
export interface LookedPage {
  readonly base: readonly string[]
  readonly named: readonly string[]
  readonly places: RunPlaces
  /** In order, none within another. */
  readonly slots: readonly Slot[]
  /** Those that hold anything but times. */
  readonly wordSlots: readonly Slot[]
  readonly noise: Noise
  readonly lostRuns: readonly Mask[]
  valuesOf(slot: Slot): string[][]
  oldValueOf(slot: Slot): string[] | null
}

/** Tokens right before a place, up to the next one that varies; times count by their form. */
export function stableBefore(page: LookedPage, at: number, most: number): string[] {
  const next = firstWhere(page.wordSlots, ({ end }) => end > at)
  const edge = page.wordSlots[next - 1]?.end ?? 0
  const room = edge === 0 ? most : Math.min(most, at - edge)
  return contextBefore(page.named, { at, most: room })
}

/** How many tokens after a place, up to so many, come before the next that varies. */
export function stableAfter(page: LookedPage, at: number, most: number): number {
  const next =
    page.wordSlots[firstWhere(page.wordSlots, ({ start, end }) => start >= at && end > at)]
  return next === undefined ? most : Math.min(most, next.start - at)
}

/** Whether a slot holds nothing but times, which a context knows by their form whatever they are. */
export function isTimes(slot: Slot, named: readonly string[]): boolean {
  return named
    .slice(slot.start, slot.end)
    .every((token) => token === '<time>' || token === '<elapsed>')
}

/** The first slot for which a test holds that holds for all after it; their number where for none. */
export function firstWhere(slots: readonly Slot[], test: (slot: Slot) => boolean): number {
  let [from, to] = [0, slots.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (test(slots[middle]!)) to = middle
    else from = middle + 1
  }
  return from
}
