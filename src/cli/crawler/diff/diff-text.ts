import type { DiffLine, Words } from '../../../formats/index.js'
import { shown } from '../../../formats/index.js'

/** Unchanged lines shown around a change. */
const context = 3

/** How lines and words are marked. */
interface Marks {
  line(kind: DiffLine['kind'], text: string): string
  word(kind: DiffLine['kind'], text: string): string
}

const plain: Marks = {
  line: (kind, text) => `${signs[kind]} ${text}`,
  word: (_, text) => text,
}

const signs = { same: ' ', removed: '-', added: '+' } as const
export const colours = { same: '', removed: '\u001b[31m', added: '\u001b[32m' } as const
export const reset = '\u001b[0m'

const coloured: Marks = {
  line: (kind, text) =>
    kind === 'same' ? `  ${text}` : `${colours[kind]}${signs[kind]} ${text}${reset}`,
  /** Bold and reversed inside the colour of the line. */
  word: (_, text) => `\u001b[1;7m${text}\u001b[22;27m`,
}

/** A comparison for a person: changes with some lines around them. */
export function diffText(
  lines: readonly DiffLine[],
  { colour }: { readonly colour: boolean },
): string {
  const marks = colour ? coloured : plain
  const near = nearChange(lines)
  let text = ''
  let skipped = false
  lines.forEach((line, i) => {
    if (near[i] !== true) {
      skipped = true
      return
    }
    if (skipped) text += '  ...\n'
    skipped = false
    text += `${marks.line(line.kind, lineText(line, marks))}\n`
  })
  return skipped && text !== '' ? `${text}  ...\n` : text
}

/** Words are marked only where some of the line stayed: else all of it would be. */
function lineText({ kind, words }: DiffLine, marks: Marks): string {
  const some = words.some((each) => !each.changed)
  const marked = (each: Words) =>
    each.changed && some && kind !== 'same' ? marks.word(kind, shown(each.text)) : shown(each.text)
  return words.map(marked).join('')
}

/** Which lines are a change or close to one. */
export function nearChange(lines: readonly DiffLine[]): boolean[] {
  const near = new Array<boolean>(lines.length).fill(false)
  lines.forEach(({ kind }, i) => {
    if (kind === 'same') return
    for (let j = Math.max(0, i - context); j <= i + context && j < near.length; j++) near[j] = true
  })
  return near
}
