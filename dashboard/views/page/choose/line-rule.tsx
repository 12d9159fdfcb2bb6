import { useEffect, useRef } from 'preact/hooks'
import type { PageAnswer } from '../../../../src/server/pages/page-schema.js'
import { request } from '../../../api/request.js'
import { linkTo } from '../../../app/route.js'
import { useLoad } from '../../../app/use-load.js'
import { LoadedView } from '../../../parts/loaded-view.js'
import { OutsideText } from '../../../parts/outside-text.js'
import { type ProposedRule, RuleEditor, type RuleKind } from './rule-editor.js'

/** A line of a difference that a person pointed at. */
export interface PointedLine {
  readonly kind: RuleKind
  readonly text: string
  /** The version that has it. */
  readonly digest: string
}

/** Letters of a line that the service takes; a rule needs no more of it. */
const mostLetters = 5000

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
  const loaded = useLoad(`line ${page.id} ${line.digest} ${line.text}`, (signal) =>
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
          <>
            {line.kind === 'select' && proposed.selector === null ? (
              <p>
                No part around this line can be told from the others.{' '}
                <a href={linkTo(['pages', page.id, 'choose'])}>
                  Choose one by clicking on the page
                </a>
                , or ignore lines like it:
              </p>
            ) : null}
            <RuleEditor page={page} proposed={proposed} onDone={onDone} onCancel={onCancel} />
          </>
        )}
      </LoadedView>
    </dialog>
  )
}

/** The part is found by the service, which knows all kept versions. */
async function proposedFor(
  { id }: PageAnswer,
  { kind, text, digest }: PointedLine,
  signal: AbortSignal,
): Promise<ProposedRule> {
  const body = { line: text.slice(0, mostLetters), digest, action: 'ignore' as const }
  const { rule, lines } = await request('POST pages/:id/rule', { params: { id }, body, signal })
  if (rule.kind === 'lines') return { kind: 'ignoreLines', selector: null, lines }
  return { kind, selector: rule.value, lines }
}
