import { diffArrays, diffWordsWithSpace } from 'diff'

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

/** Compares two texts line by line, and lines that took each other's place word by word. */
export function lineDiff(
  before: string,
  after: string,
  { mostEdits = usualEdits }: { readonly mostEdits?: number } = {},
): DiffLine[] {
  const [old, young] = [linesOf(before), linesOf(after)]
  const runs = diffArrays(old, young, { maxEditLength: mostEdits })
  if (runs === undefined) return replaced(old, young)
  const lines: DiffLine[] = []
  let removed: readonly string[] = []
  for (const { value, added, removed: gone } of runs) {
    if (gone) {
      removed = value
      continue
    }
    lines.push(...replaced(removed, added ? value : []))
    removed = []
    if (!added) lines.push(...value.map((text) => whole('same', text)))
  }
  return [...lines, ...replaced(removed, [])]
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/\r\n|\r|\n/)
}

/** Lines in the place of others: in pairs while there are such, all removed ones first. */
function replaced(old: readonly string[], young: readonly string[]): DiffLine[] {
  const pairs = old.slice(0, young.length).map((text, i) => wordDiff(text, young[i]!))
  return [
    ...old.map((text, i) => pairs[i]?.removed ?? whole('removed', text)),
    ...young.map((text, i) => pairs[i]?.added ?? whole('added', text)),
  ]
}

function wordDiff(old: string, young: string): { removed: DiffLine; added: DiffLine } {
  const parts = diffWordsWithSpace(old, young, { maxEditLength: mostWordEdits })
  const side = (kind: 'removed' | 'added', text: string): DiffLine => {
    if (parts === undefined) return whole(kind, text)
    const other = kind === 'removed' ? 'added' : 'removed'
    const words = parts.filter((part) => !part[other])
    return { kind, text, words: words.map((part) => ({ text: part.value, changed: part[kind] })) }
  }
  return { removed: side('removed', old), added: side('added', young) }
}

function whole(kind: DiffLine['kind'], text: string): DiffLine {
  return { kind, text, words: [{ text, changed: kind !== 'same' }] }
}
