import { hash } from 'node:crypto'
import { boundedDiff } from '../text-diff.js'
import { lineEnd, varying } from './tokens.js'

/**
 * A place of a page that takes one of several texts from visit to visit: a
 * quote of the day, an advertisement, a teaser in turn. It is known by its
 * texts alone, as digests of their lines: what has not been seen there before
 * is never taken for one of them.
 */
export interface RotatingSlot {
  readonly texts: readonly string[]
  /** How often a text came back after another. */
  readonly returns: number
  /** Visits of the page when it was first seen to change. */
  readonly since: number
  readonly active: boolean
}

const mostSlots = 20
const mostTexts = 60
/** Two texts that take turns may be news each time: in stock, out of stock. */
const fewestTexts = 3
/** A place that stays as it is at most visits is no rotation, whatever comes back: a status, a notice. */
const leastShare = 0.3
/** Lines that differ by more edits than this are different pages. */
const mostEdits = 400
const fewWords = 3
/** Share of words by which two lines are two states of one text rather than two texts. */
const mostCommon = 0.6

/** What two successive contents of a page tell of its rotating places. */
export interface Rotation {
  readonly slots: readonly RotatingSlot[]
  /** Texts seen now for the first time: they count as changes this time. */
  readonly fresh: readonly string[]
}

/** Learns from the copy kept of a page and what it is now, both after the other masks. O(n + edits²). */
export function rotationAfter(
  before: readonly string[],
  now: readonly string[],
  { slots, visits }: { readonly slots: readonly RotatingSlot[]; readonly visits: number },
): Rotation {
  const runs = boundedDiff(linesOf(before), linesOf(now), { mostEdits })
  let known = [...slots]
  const fresh: string[] = []
  let removed: readonly string[] = []
  for (const { value, added, removed: gone } of runs ?? []) {
    if (gone) removed = value
    else {
      if (added)
        for (const [old, young] of pairs(removed, value)) {
          const from = digestOf(old)
          const to = digestOf(young)
          const place = known.findIndex(({ texts }) => texts.includes(from) || texts.includes(to))
          const slot =
            place < 0 ? { texts: [from], returns: 0, since: visits, active: false } : known[place]!
          if (!slot.texts.includes(to)) fresh.push(to)
          known = [...known.filter((each) => each !== slot), grown(slot, { from, to, visits })]
        }
      removed = []
    }
  }
  return { slots: known.slice(-mostSlots), fresh }
}

function grown(
  slot: RotatingSlot,
  { from, to, visits }: { from: string; to: string; visits: number },
): RotatingSlot {
  const returned = slot.texts.includes(to)
  const texts = [...new Set([...slot.texts, from, to])].slice(-mostTexts)
  const returns = slot.returns + (returned ? 1 : 0)
  const changes = texts.length - 1 + returns
  const often = changes >= leastShare * (visits - slot.since)
  const active = slot.active || (returns > 0 && texts.length >= fewestTexts && often)
  return { ...slot, texts, returns, active }
}

/** Lines that took each other's place and have little in common: an edit of a text is none. */
function* pairs(
  removed: readonly string[],
  added: readonly string[],
): Generator<readonly [string, string]> {
  const count = Math.min(removed.length, added.length)
  for (let i = 0; i < count; i++) {
    const [old, young] = [removed[i]!, added[i]!]
    if (isText(old) && isText(young) && areUnlike(old, young)) yield [old, young]
  }
}

/** Numbers and single words may well be what a page is watched for. */
function isText(line: string): boolean {
  return line.split(' ').filter((word) => /\p{L}/u.test(word)).length >= fewWords
}

function areUnlike(old: string, young: string): boolean {
  const words = new Set(old.split(' '))
  const others = new Set(young.split(' '))
  const common = [...others].filter((word) => words.has(word)).length
  return common < mostCommon * Math.min(words.size, others.size)
}

function digestOf(line: string): string {
  return hash('sha256', line, 'hex').slice(0, 12)
}

/** The lines of tokens, each with one space between its words. */
function linesOf(tokens: readonly string[]): string[] {
  return tokens
    .join(' ')
    .split(lineEnd)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Tokens with one sign in the place of each line that is one of these texts; signs in a row are one. */
export function withoutRotating(tokens: readonly string[], texts: ReadonlySet<string>): string[] {
  const out: string[] = []
  let line: string[] = []
  const end = () => {
    const text = line.join(' ').trim()
    if (text !== '' && texts.has(digestOf(text))) {
      if (out.findLast((token) => token !== lineEnd) !== varying) out.push(varying)
    } else out.push(...line)
    line = []
  }
  for (const token of tokens) {
    if (token !== lineEnd) line.push(token)
    else {
      end()
      if (out.at(-1) !== lineEnd) out.push(lineEnd)
    }
  }
  end()
  return out
}
