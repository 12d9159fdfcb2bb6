import { formOf } from './token-form.js'
import type { Slot } from './varying-slots.js'

/**
 * Slots of words that all but touch are one: two advertisements share small
 * words by chance. What is machine-made stays by itself.
 */
export function mergedSlots(slots: readonly Slot[], base: readonly string[]): Slot[] {
  const machine = (slot: Slot) =>
    slot.end > slot.start &&
    base
      .slice(slot.start, slot.end)
      .every((token, i) => formOf(token, base[slot.start + i + 1] ?? '') !== null)
  const out: Slot[] = []
  for (const slot of slots) {
    const last = out.at(-1)
    const near = last !== undefined && slot.start - last.end <= 2
    if (near && !machine(last) && !machine(slot))
      out[out.length - 1] = { start: last.start, end: slot.end }
    else out.push(slot)
  }
  return out
}
