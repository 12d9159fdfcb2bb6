import { useEffect, useRef, useState } from 'preact/hooks'
import type { AddPagesAnswer } from '../../../src/server/pages/page-schema.js'
import { request } from '../../api/request.js'
import { useAct } from '../../app/use-act.js'
import { Field } from '../../parts/field.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Refused } from '../../parts/states.js'
import { plural, sentence } from '../../parts/words.js'
import { ImportLog } from './import-log.js'

/** The API takes so many at once. */
const atOnce = 10_000

/** Adds pages by their addresses, typed or from a file. */
export function AddDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [group, setGroup] = useState('')
  const [importance, setImportance] = useState('1')
  const [result, setResult] = useState<AddPagesAnswer>()
  const { act, busy, error } = useAct()
  useEffect(() => dialog.current?.showModal(), [])
  const urls = addressesIn(text)
  const add = () =>
    act(async () => {
      const answer = await addAll(urls, { group: group.trim(), importance: Number(importance) })
      setResult(answer)
      if (answer.added > 0) onDone()
      if (answer.refused.length === 0) setText('')
    })
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="add-title">
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <h2 id="add-title">Add pages</h2>
        <Field name="Addresses, one a line">
          <textarea
            rows={8}
            placeholder="https://example.org/news"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </Field>
        <div class="row align-end">
          <Field name="or from a text file">
            <input
              type="file"
              accept=".txt,.csv,text/plain"
              onChange={async (event) => {
                const file = event.currentTarget.files?.[0]
                if (file !== undefined) setText(await file.text())
              }}
            />
          </Field>
          <Field name="Group (may stay empty)">
            <input value={group} onInput={(event) => setGroup(event.currentTarget.value)} />
          </Field>
          <Field name="Importance">
            <input
              class="short"
              type="number"
              min="0"
              step="any"
              value={importance}
              onInput={(event) => setImportance(event.currentTarget.value)}
            />
          </Field>
        </div>
        <div role="status">{result === undefined ? null : <AddedSummary result={result} />}</div>
        <Refused error={error} />
        <ImportLog onDone={onDone} />
        <div class="row end">
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
          <button type="submit" class="first" disabled={busy || urls.length === 0}>
            {busy ? 'Adding …' : `Add ${plural(urls.length, 'page')}`}
          </button>
        </div>
      </form>
    </dialog>
  )
}

function AddedSummary({
  result: { added, already, refused, next, warning },
}: {
  result: AddPagesAnswer
}) {
  return (
    <>
      <p>
        {plural(added, 'page')} added
        {already === 0 ? '' : `, ${already} were there already`}
        {refused.length === 0 ? '.' : `, ${refused.length} refused:`}
      </p>
      {next === null ? null : <p>{sentence(next.text)}</p>}
      {warning === null ? null : (
        <p>
          <OutsideText text={sentence(warning)} />
        </p>
      )}
      {refused.length === 0 ? null : (
        <ul class="refusals">
          {refused.slice(0, 20).map(({ url, message }) => (
            <li key={url}>
              <OutsideText text={url} />: <OutsideText text={message} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** One address a line; blank lines and lines that begin with # are left out. */
function addressesIn(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== '' && !line.startsWith('#')))]
}

async function addAll(
  urls: readonly string[],
  { group, importance }: { group: string; importance: number },
): Promise<AddPagesAnswer> {
  const refused: AddPagesAnswer['refused'][number][] = []
  let sum: AddPagesAnswer = { added: 0, already: 0, refused, next: null, warning: null }
  for (let from = 0; from < urls.length; from += atOnce) {
    const pages = urls.slice(from, from + atOnce).map((url) => ({
      url,
      ...(group === '' ? {} : { group }),
      ...(Number.isFinite(importance) && importance !== 1 ? { importance } : {}),
    }))
    const answer = await request('POST pages', { body: { pages } })
    refused.push(...answer.refused)
    sum = {
      ...answer,
      added: sum.added + answer.added,
      already: sum.already + answer.already,
      refused,
      next: answer.next ?? sum.next,
      warning: answer.warning ?? sum.warning,
    }
  }
  return sum
}
