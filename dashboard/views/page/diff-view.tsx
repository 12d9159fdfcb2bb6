import { useState } from 'preact/hooks'
import { shown } from '../../../src/formats/printable-text.js'
import type { DiffAnswer } from '../../../src/server/pages/contents.js'
import { count, sentence } from '../../parts/words.js'

/** Unchanged lines shown beside a change. */
const around = 3
const most = 2000

type DiffLine = DiffAnswer['lines'][number]
type Shown = { readonly line: DiffLine } | { readonly left: number }

/** Two versions line by line, of what is compared or of the whole page; what surrounds the changes is folded. */
export function DiffView({
  diff: { lines, note },
  onRule,
}: {
  diff: DiffAnswer
  /** Called where a person wants a rule made from a line that changed. */
  onRule: (kind: 'select' | 'ignore', line: DiffLine) => void
}) {
  const [unfolded, setUnfolded] = useState(false)
  const changed = lines.filter(({ kind }) => kind !== 'same').length
  if (changed === 0) return <p class="muted">{sentence(note ?? 'nothing is different')}</p>
  const shown: Shown[] = unfolded ? lines.map((line) => ({ line })) : folded(lines)
  return (
    <>
      <section class="diff" aria-label="Difference of the two versions">
        {shown.slice(0, most).map((each, i) =>
          'left' in each ? (
            <p key={i} class="left">
              {count(each.left)} unchanged lines
            </p>
          ) : (
            <Line key={i} line={each.line} onRule={onRule} />
          ),
        )}
      </section>
      {lines.length > changed && (
        <button type="button" onClick={() => setUnfolded(!unfolded)}>
          {unfolded ? 'Only what changed' : 'All lines'}
        </button>
      )}
    </>
  )
}

const marks = { same: ' ', removed: '−', added: '+' } as const
const labels = { same: '', removed: 'removed: ', added: 'added: ' } as const

function Line({
  line,
  onRule,
}: {
  line: DiffLine
  onRule: (kind: 'select' | 'ignore', line: DiffLine) => void
}) {
  const { kind, text, words } = line
  const Tag = kind === 'removed' ? 'del' : kind === 'added' ? 'ins' : 'span'
  return (
    <p class={kind}>
      <span aria-hidden="true" class="mark">
        {marks[kind]}
      </span>
      <span class="unseen">{labels[kind]}</span>
      <Tag dir="auto">
        {kind === 'same'
          ? shown(text)
          : words.map((word, i) => (
              <span key={i} class={word.changed ? 'word' : ''}>
                {shown(word.text)}
              </span>
            ))}
      </Tag>
      {kind === 'same' ? null : (
        <span class="line-rules">
          <button type="button" class="line-rule" onClick={() => onRule('ignore', line)}>
            Ignore this part
          </button>
          <button type="button" class="line-rule" onClick={() => onRule('select', line)}>
            Watch only this part
          </button>
        </span>
      )}
    </p>
  )
}

function folded(lines: readonly DiffLine[]): Shown[] {
  const near = new Set<number>()
  for (const [i, { kind }] of lines.entries())
    if (kind !== 'same') for (let j = i - around; j <= i + around; j++) near.add(j)
  const shown: Shown[] = []
  let left = 0
  for (const [i, line] of lines.entries()) {
    if (!near.has(i)) {
      left++
      continue
    }
    if (left > 0) shown.push({ left })
    left = 0
    shown.push({ line })
  }
  if (left > 0) shown.push({ left })
  return shown
}
