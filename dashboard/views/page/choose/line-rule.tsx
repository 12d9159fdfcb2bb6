import { useEffect, useRef } from 'preact/hooks'
import type { PageAnswer } from '../../../../src/server/pages/page-schema.js'
import { addressOf } from '../../../api/request.js'
import { useLoad } from '../../../app/use-load.js'
import { LoadedView } from '../../../parts/loaded-view.js'
import { OutsideText } from '../../../parts/outside-text.js'
import { type ProposedRule, RuleEditor, type RuleKind } from './rule-editor.js'
import { elementOfLine, lineExpression, selectorOf } from './selector.js'

/** A line of a difference that a person pointed at. */
export interface PointedLine {
  readonly kind: RuleKind
  readonly text: string
  /** The version that has it. */
  readonly digest: string
}

/** A rule made from a line of a difference: the part of the page that shows it, or lines like it. */
export function LineRule({
  page,
  line,
  onDone,
  onCancel,
}: {
  page: PageAnswer
  line: PointedLine
  onDone: () => void
  onCancel: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const loaded = useLoad(`line ${line.digest} ${line.text}`, (signal) =>
    proposedFor(page, line, signal),
  )
  return (
    <dialog ref={dialog} class="wide-dialog" onClose={onCancel} aria-labelledby="rule-title">
      <h2 id="rule-title">A rule from this line</h2>
      <p class="mono">
        <OutsideText text={line.text} />
      </p>
      <LoadedView loaded={loaded} what="the version">
        {(proposed) => (
          <RuleEditor page={page} proposed={proposed} onDone={onDone} onCancel={onCancel} />
        )}
      </LoadedView>
    </dialog>
  )
}

/** The source is read into a document that is never shown: no script of it runs, and nothing is asked for. */
async function proposedFor(
  { id }: PageAnswer,
  { kind, text, digest }: PointedLine,
  signal: AbortSignal,
): Promise<ProposedRule> {
  const answer = await fetch(addressOf(`pages/${id}/versions/${digest}/source`), { signal })
  const lines = lineExpression(text)
  if (!answer.ok) return { kind: 'ignoreLines', selector: null, lines }
  const root = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const element = elementOfLine(root, text)
  const whole = element === null || element === root.body
  if (whole) return { kind: 'ignoreLines', selector: null, lines }
  return { kind, selector: selectorOf(element), lines }
}
