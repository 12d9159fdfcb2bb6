import { diffWordsWithSpace } from 'diff'
import { boundedDiff } from './bounded-diff.js'

/** A stretch of a line; `changed` where it is in one of the two texts only. */
export interface Words {
  readonly text: string
  readonly changed: boolean
}

/** One line of a comparison. A changed line comes twice, as removed and as added, words told apart. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
  readonly words: readonly Words[]
}

/** Texts further apart than this are shown as wholly replaced: finding the shortest way is quadratic. */
const usualEdits = 5000
const mostWordEdits = 500
/** Steps for the words of all lines together; when they are used up, lines are shown whole. */
const mostWordSteps = 3_000_000

/**
 * Compares two texts line by line, and lines that took each other's place word
 * by word, as far as a bounded number of steps goes. O(n + edits²).
 */
export function lineDiff(
  before: string,
  after: string,
  { mostEdits = usualEdits }: { readonly mostEdits?: number } = {},
): DiffLine[] {
  const [old, young] = [linesOf(before), linesOf(after)]
  const diff = new LineDiff()
  const runs = boundedDiff(old, young, { mostEdits })
  if (runs === null) diff.replaced(old, young)
  let removed: readonly string[] = []
  for (const { value, added, removed: gone } of runs ?? []) {
    if (gone) removed = value
    else {
      diff.replaced(removed, added ? value : [])
      if (!added) diff.same(value)
      removed = []
    }
  }
  diff.replaced(removed, [])
  return diff.lines
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/\r\n|\r|\n/)
}

class LineDiff {
  readonly lines: DiffLine[] = []
  #steps = mostWordSteps

  same(texts: readonly string[]): void {
    for (const text of texts) this.lines.push(whole('same', text))
  }

  /** Lines in the place of others: in pairs while there are such, all removed ones first. */
  replaced(old: readonly string[], young: readonly string[]): void {
    const added: DiffLine[] = []
    for (const [i, text] of old.entries()) {
      const other = young[i]
      const pair = other === undefined ? null : this.#words(text, other)
      this.lines.push(pair?.removed ?? whole('removed', text))
      if (other !== undefined) added.push(pair?.added ?? whole('added', other))
    }
    for (const line of added) this.lines.push(line)
    for (const text of young.slice(old.length)) this.lines.push(whole('added', text))
  }

  /** Two lines word by word; null where they are too far apart, or the steps are used up. */
  #words(old: string, young: string): { removed: DiffLine; added: DiffLine } | null {
    this.#steps -= old.length + young.length
    const most = Math.min(mostWordEdits, Math.floor(Math.sqrt(Math.max(0, this.#steps))))
    if (most < 1) return null
    const parts = diffWordsWithSpace(old, young, { maxEditLength: most })
    const edits = parts?.reduce(
      (sum, { added, removed, count }) => sum + (added || removed ? count : 0),
      0,
    )
    this.#steps -= (edits ?? most) ** 2
    if (parts === undefined) return null
    const side = (kind: 'removed' | 'added', text: string): DiffLine => {
      const other = kind === 'removed' ? 'added' : 'removed'
      const words = parts.filter((part) => !part[other])
      return { kind, text, words: words.map((part) => ({ text: part.value, changed: part[kind] })) }
    }
    return { removed: side('removed', old), added: side('added', young) }
  }
}

function whole(kind: DiffLine['kind'], text: string): DiffLine {
  return { kind, text, words: [{ text, changed: kind !== 'same' }] }
}
