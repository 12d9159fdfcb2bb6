import { boundedDiff } from '../../formats/index.js'

/** A place of the first look that differs in another: tokens from `start`, before `end`. */
export interface Slot {
  readonly start: number
  readonly end: number
}

/** Looks that differ in more tokens than this are different pages. */
const mostEdits = 3000

/** Where each token of the first look stands in another; -1 where it does not. */
export type Matches = Int32Array

/** By the two scans: those of a page are paired anew with each more. */
const paired = new WeakMap<readonly string[], WeakMap<readonly string[], Matches | null>>()

/** Pairs the tokens of two looks; null where too much differs. O(n + edits²), once for two scans. */
export function matchesIn(base: readonly string[], other: readonly string[]): Matches | null {
  const known = paired.get(base) ?? new WeakMap<readonly string[], Matches | null>()
  paired.set(base, known)
  const before = known.get(other)
  if (before !== undefined) return before
  const matches = found(base, other)
  known.set(other, matches)
  return matches
}

function found(base: readonly string[], other: readonly string[]): Matches | null {
  const parts = boundedDiff(base, other, { mostEdits })
  if (parts === null) return null
  const matches = new Int32Array(base.length).fill(-1)
  let [i, j] = [0, 0]
  for (const { added, removed, value } of parts) {
    if (added) j += value.length
    else if (removed) i += value.length
    else for (let n = 0; n < value.length; n++) matches[i++] = j++
  }
  return matches
}

/** What stands in a slot in another look; null where its edges do not stand there. */
export function valueIn(
  other: readonly string[],
  { matches, slot }: { readonly matches: Matches; readonly slot: Slot },
): string[] | null {
  const from = slot.start === 0 ? 0 : matches[slot.start - 1]! + 1
  const to = slot.end === matches.length ? other.length : matches[slot.end]!
  if (to < from || to === -1 || (slot.start > 0 && from === 0)) return null
  return other.slice(from, to)
}

/** The places that differ in any other look, in order. */
export function varyingSlots(all: readonly { matches: Matches; length: number }[]): Slot[] {
  const size = all[0]?.matches.length ?? 0
  const slots: { start: number; end: number }[] = []
  const open = (start: number, end: number) => {
    const last = slots.at(-1)
    if (last !== undefined && last.end >= start) last.end = Math.max(last.end, end)
    else slots.push({ start, end })
  }
  for (let i = 0; i <= size; i++) {
    if (all.some((each) => inserted(each, i))) open(i, i)
    if (i < size && all.some(({ matches }) => matches[i] === -1)) open(i, i + 1)
  }
  return slots
}

/** Whether another look has more between this token and the one before. */
function inserted({ matches, length }: { matches: Matches; length: number }, i: number): boolean {
  const before = i === 0 ? -1 : matches[i - 1]!
  const at = i === matches.length ? length : matches[i]!
  if (i > 0 && before === -1) return false
  return at !== -1 && at > before + 1
}
