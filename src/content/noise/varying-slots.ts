import { boundedDiff } from '../text-diff.js'
import { formOf, startsAt } from './tokens.js'

/** A place of the first sample that differs in another: tokens from `start`, before `end`. */
export interface Slot {
  readonly start: number
  readonly end: number
}

/** Samples that differ in more tokens than this are different pages. */
const mostEdits = 3000

/** Where each token of the first sample stands in another; -1 where it does not. */
type Matches = Int32Array

/** By the two samples: those of a page are paired anew with each more. */
const paired = new WeakMap<readonly string[], WeakMap<readonly string[], Matches | null>>()

/** Pairs the tokens of two answers; null where too much differs. O(n + edits²), once for two samples. */
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

/** What stands in a slot in another sample; null where its edges do not stand there. */
export function valueIn(
  other: readonly string[],
  { matches, slot }: { readonly matches: Matches; readonly slot: Slot },
): string[] | null {
  const from = slot.start === 0 ? 0 : matches[slot.start - 1]! + 1
  const to = slot.end === matches.length ? other.length : matches[slot.end]!
  if (to < from || to === -1 || (slot.start > 0 && from === 0)) return null
  return other.slice(from, to)
}

/** The places that differ in any other sample, in order. */
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

/** Whether another sample has more between this token and the one before. */
function inserted({ matches, length }: { matches: Matches; length: number }, i: number): boolean {
  const before = i === 0 ? -1 : matches[i - 1]!
  const at = i === matches.length ? length : matches[i]!
  if (i > 0 && before === -1) return false
  return at !== -1 && at > before + 1
}

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

/** Steps for all places of a page together: going through the page for each of them took minutes. */
const mostSteps = 4_000_000

/** Words before and after a stretch of at most so many tokens. */
interface Around {
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly most: number
}

/**
 * Where words stand around a stretch, on one page asked for many of them: the
 * rarest word before it is looked up, so that a question costs its places and
 * not the page. When the steps are used up the answer is no.
 */
export class RunPlaces {
  readonly #named: readonly string[]
  readonly #places = new Map<string, number[]>()
  #left = mostSteps

  /** Of the tokens as a context names them. */
  constructor(named: readonly string[]) {
    this.#named = named
    for (const [i, token] of named.entries()) {
      const places = this.#places.get(token)
      if (places === undefined) this.#places.set(token, [i])
      else places.push(i)
    }
  }

  /** Whether a test holds for each stretch that these words stand around. */
  allFit(around: Around, test: (run: Slot) => boolean): boolean {
    if (this.#left < 0) return false
    const starts = this.#starts(around.before)
    for (const [i, start] of starts.entries()) {
      const end = this.#endFrom(start, {
        ...around,
        limit: starts[i + 1] ?? this.#named.length + 1,
      })
      if (this.#left < 0) return false
      if (end !== -1 && !test({ start, end })) return false
    }
    return this.#left >= 0
  }

  /** Places right after these words, in order. */
  #starts(before: readonly string[]): number[] {
    const offset = this.#rarest(before)
    const candidates =
      offset === -1
        ? Array.from({ length: before.length }, (_, i) => i)
        : (this.#places.get(before[offset]!) ?? []).map((at) => at + before.length - offset)
    this.#left -= candidates.length
    const named = this.#named
    return candidates.filter((at) =>
      before.every((token, i) => (named[at - before.length + i] ?? '') === token),
    )
  }

  /** Which of the words stands at the fewest places; -1 where one is beyond the first of the page. */
  #rarest(before: readonly string[]): number {
    if (before.includes('')) return -1
    const counts = before.map((token) => this.#places.get(token)?.length ?? 0)
    return counts.indexOf(Math.min(...counts))
  }

  /** Where the words after it first stand from a start on; -1 where too far, or after the next start. */
  #endFrom(start: number, { after, most, limit }: Around & { limit: number }): number {
    const last = Math.min(start + most, limit - 1)
    for (let i = start; i <= last; i++) {
      if (--this.#left < 0) return -1
      if (startsAt(this.#named, i, after)) return i
    }
    return -1
  }
}
