import { shown } from '../bytes/shown.js'
import { type DiffLine, lineDiff } from './line-diff.js'

/** What differs between two texts, short. */
export interface TextChange {
  /** Letters that are in one text only, as a share of the letters of both. */
  readonly share: number
  readonly diff: string
}

/** Longer texts are not compared. */
const mostLetters = 1_000_000
/** The shortest way between texts takes time that grows with the square of this. */
const mostEdits = 1000
const mostDiff = 4000
const mostLine = 300
const signs = { removed: '-', added: '+' } as const

/** Compares two texts; null where one is too long for it. */
export function textChange(before: string, after: string): TextChange | null {
  if (before.length > mostLetters || after.length > mostLetters) return null
  const lines = lineDiff(before, after, { mostEdits })
  return { share: changedShare(lines), diff: shortDiff(lines) }
}

function changedShare(lines: readonly DiffLine[]): number {
  let [changed, all] = [0, 0]
  for (const { kind, words } of lines)
    for (const { text, changed: differs } of words) {
      all += kind === 'same' ? 2 * text.length : text.length
      if (kind !== 'same' && differs) changed += text.length
    }
  return all === 0 ? 0 : changed / all
}

/** Changed lines alone. Controls are made visible: the text goes to terminals and into mails. */
function shortDiff(lines: readonly DiffLine[]): string {
  let diff = ''
  for (const { kind, text } of lines) {
    if (kind === 'same' || text.trim() === '') continue
    const line = `${signs[kind]} ${cut(shown(text.trim()), mostLine)}\n`
    if (diff.length + line.length > mostDiff) return `${diff}...\n`
    diff += line
  }
  return diff
}

/** The beginning of a text, never half a letter. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most - 3).replace(/[\ud800-\udbff]$/, '')}...`
}
