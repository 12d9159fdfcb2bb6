import type { DiffLine, Words } from '../../../formats/index.js'
import { shown } from '../../../formats/index.js'
import { colours, nearChange, reset } from './diff-text.js'

type Mark = (kind: 'removed' | 'added', text: string) => string

const plain: Mark = (kind, text) => (kind === 'removed' ? `[-${text}-]` : `{+${text}+}`)
const coloured: Mark = (kind, text) => `${colours[kind]}${text}${reset}`

/**
 * A comparison with changed words in their place, `the [-old-]{+new+} text`; in
 * colours at a terminal. A line and the one that took its place are one line.
 */
export function wordsText(
  lines: readonly DiffLine[],
  { colour }: { readonly colour: boolean },
): string {
  const mark = colour ? coloured : plain
  const near = nearChange(lines)
  const told: string[] = []
  for (let i = 0; i < lines.length; ) {
    const old = run(lines, { kind: 'removed', from: i })
    const young = run(lines, { kind: 'added', from: i + old.length })
    for (let k = 0; k < Math.max(old.length, young.length); k++)
      told.push(oneLine(old[k]?.words ?? [], young[k]?.words ?? [], mark))
    i += old.length + young.length
    // At most one: what follows may be a change again.
    const same = lines[i]
    if (same?.kind !== 'same') continue
    if (near[i] === true) told.push(shown(same.text))
    i++
  }
  return told.map((line) => `${line}\n`).join('')
}

/** Lines of one kind, one after the other. */
function run(
  lines: readonly DiffLine[],
  { kind, from }: { readonly kind: DiffLine['kind']; readonly from: number },
): readonly DiffLine[] {
  let end = from
  while (lines[end]?.kind === kind) end++
  return lines.slice(from, end)
}

/** What stayed is in both lines, in the same order; what came is put after what went. */
function oneLine(old: readonly Words[], young: readonly Words[], mark: Mark): string {
  const marked = (kind: 'removed' | 'added', text: string) =>
    text === '' ? '' : mark(kind, shown(text))
  let text = ''
  let next = 0
  const come = () => {
    while (young[next]?.changed) text += marked('added', young[next++]!.text)
  }
  for (const part of old) {
    if (part.changed) {
      text += marked('removed', part.text)
      continue
    }
    come()
    text += shown(part.text)
    next++
  }
  come()
  return text
}
