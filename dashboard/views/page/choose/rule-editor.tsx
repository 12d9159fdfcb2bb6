import { useEffect, useState } from 'preact/hooks'
import type { Json } from '../../../../src/model/units.js'
import type { Answers } from '../../../../src/server/answers.js'
import type { PageAnswer } from '../../../../src/server/pages/page-schema.js'
import { request } from '../../../api/request.js'
import { useAct } from '../../../app/use-act.js'
import { useLoad } from '../../../app/use-load.js'
import { Field } from '../../../parts/field.js'
import { LoadedView } from '../../../parts/loaded-view.js'
import { OutsideText } from '../../../parts/outside-text.js'
import { Refused } from '../../../parts/states.js'
import { Moment } from '../../../parts/time.js'
import { sentence } from '../../../parts/words.js'
import { ComparedText } from '../settings/preview.js'

/** What a rule does with what it names. */
export type RuleKind = 'select' | 'ignore' | 'ignoreLines'

/** A rule that is proposed, by kind; what a kind has no text for is not offered. */
export interface ProposedRule {
  readonly kind: RuleKind
  readonly selector: string | null
  /** A regular expression for lines. */
  readonly lines: string | null
}

const names: Readonly<Record<RuleKind, string>> = {
  select: 'Watch only this part',
  ignore: 'Ignore this part',
  ignoreLines: 'Ignore lines like this',
}

const typingWait = 400

/** A rule before it is saved: its words, and what it would have done to the last versions. */
export function RuleEditor({
  page,
  proposed,
  onDone,
  onCancel,
}: {
  page: PageAnswer
  proposed: ProposedRule
  onDone: () => void
  onCancel: () => void
}) {
  const [kind, setKind] = useState(proposed.kind)
  const start = (kind === 'ignoreLines' ? proposed.lines : proposed.selector) ?? ''
  const [text, setText] = useState(start)
  useEffect(() => setText(start), [start])
  const tried = useRested(text)
  const { act, busy, error } = useAct()
  const reading = withRule(page.settings.reading, kind, text.trim())
  const kinds = (Object.keys(names) as RuleKind[]).filter((each) =>
    each === 'ignoreLines' ? proposed.lines !== null : proposed.selector !== null,
  )
  const save = () =>
    act(async () => {
      const params = { id: page.id }
      await request('PATCH pages/:id', { params, body: { settings: { reading } } })
      onDone()
    })
  return (
    <section class="panel rule-editor" aria-label="New rule">
      <div class="row">
        {kinds.map((each) => (
          <label key={each} class="check">
            <input
              type="radio"
              name="rule-kind"
              checked={kind === each}
              onChange={() => setKind(each)}
            />
            {names[each]}
          </label>
        ))}
      </div>
      <Field name={kind === 'ignoreLines' ? 'Regular expression' : 'CSS selector'}>
        <input
          class="mono rule-text"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </Field>
      {tried.trim() === '' ? null : (
        <Trial id={page.id} reading={withRule(page.settings.reading, kind, tried.trim())} />
      )}
      <div class="row turn">
        <button type="button" class="first" disabled={busy || text.trim() === ''} onClick={save}>
          Save this rule
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <Refused error={error} inline />
      </div>
    </section>
  )
}

/** What was typed, once the typing rests. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), typingWait)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

/** The page's rules with one more. */
function withRule(reading: Json | undefined, kind: RuleKind, text: string): Json {
  const rules = (reading ?? {}) as Readonly<Record<string, Json>>
  const before = (rules[kind] ?? []) as readonly string[]
  return { ...rules, [kind]: [...new Set([...before, text])] } as Json
}

function Trial({ id, reading }: { id: string; reading: Json }) {
  const loaded = useLoad(`trial ${id} ${JSON.stringify(reading)}`, (signal) =>
    request('POST pages/:id/trial', { params: { id }, body: { reading }, signal }),
  )
  return (
    <LoadedView
      loaded={loaded}
      what="what it would have done"
      absent={<p class="muted">No content of this page is kept yet.</p>}
    >
      {(trial) => (
        <>
          <h3>What would be compared of the newest version</h3>
          {trial.text === null ? (
            <p class="alert">
              <OutsideText text={sentence(trial.note ?? 'nothing')} />
            </p>
          ) : (
            <ComparedText text={trial.text} />
          )}
          <TriedChanges changes={trial.changes} />
        </>
      )}
    </LoadedView>
  )
}

function TriedChanges({ changes }: { changes: Answers['POST pages/:id/trial']['changes'] }) {
  if (changes.length === 0) return <p class="muted">There is no older version to try it on.</p>
  const before = changes.filter((each) => each.before).length
  const after = changes.filter((each) => each.after).length
  return (
    <>
      <h3>
        Of the last {changes.length} changes of content, {after} would count; now {before} do
      </h3>
      <ul class="tried">
        {changes.map(({ at, after: counts, removed, added, note }) => (
          <li key={at}>
            <Moment at={at} />: {counts ? 'a change' : <span class="muted">no change</span>}
            {counts && note === null ? (
              <span class="muted">
                {' '}
                <OutsideText
                  text={[removed && `− ${removed}`, added && `+ ${added}`]
                    .filter(Boolean)
                    .join('  ')}
                />
              </span>
            ) : null}
            {note === null ? null : (
              <span class="alert">
                {' '}
                <OutsideText text={note} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
