import { useState } from 'preact/hooks'
import type { Answers } from '../../../src/server/answers.js'
import { request } from '../../api/request.js'
import { useAct } from '../../app/use-act.js'
import { Field } from '../../parts/field.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Refused } from '../../parts/states.js'
import { plural } from '../../parts/words.js'
import { ContactNeeded } from './contact-needed.js'

const types: readonly (readonly [name: RegExp, type: string])[] = [
  [/\.ya?ml$/i, 'application/yaml'],
  [/\.json$/i, 'application/json'],
  [/\.zip$/i, 'application/zip'],
  [/\.html?$/i, 'text/html'],
]

/** Takes in the pages of another program with their settings; what could not be carried over is listed. */
export function ImportList({ onDone, open }: { onDone: () => void; open: boolean }) {
  const [result, setResult] = useState<Answers['POST import/pages']>()
  const [taken, setTaken] = useState<File>()
  const { act, busy, error } = useAct()
  const take = (file: File) =>
    act(async () => {
      setTaken(file)
      const contentType =
        types.find(([name]) => name.test(file.name))?.[1] ?? 'application/x-ndjson'
      setResult(await request('POST import/pages', { raw: { content: file, contentType } }))
      onDone()
    })
  return (
    <details open={open}>
      <summary>Import pages with their settings</summary>
      <Field name="Of urlwatch (urls.yaml), changedetection.io (backup or export), a browser’s bookmarks, or our own export">
        <input
          type="file"
          accept=".yaml,.yml,.json,.zip,.html,.htm,.jsonl,.ndjson"
          disabled={busy}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            if (file !== undefined) take(file)
          }}
        />
      </Field>
      <div role="status">
        {busy ? 'Importing …' : null}
        {result === undefined || busy ? null : (
          <p>
            {plural(result.added, 'page')} added
            {result.from === undefined ? '' : ` from ${result.from}`}
            {result.already === 0 ? '' : `, ${result.already} were there already`}
            {(result.changed ?? 0) === 0 ? '' : `, ${result.changed} of them with new settings`}
            {result.refused === 0 ? '' : `, ${result.refused} refused`}.
          </p>
        )}
      </div>
      {taken !== undefined && result?.problems.some(({ code }) => code === 'no-contact') ? (
        <ContactNeeded onSet={() => take(taken)} />
      ) : null}
      {result === undefined ? null : <NotCarried result={result} />}
      <Refused error={error} />
    </details>
  )
}

function NotCarried({ result: { problems, left = [] } }: { result: Answers['POST import/pages'] }) {
  if (problems.length + left.length === 0) return null
  return (
    <>
      <p>Not carried over:</p>
      <ul class="refusals">
        {problems.map(({ url, message }, i) => (
          <li key={`p${i}`}>
            {/* The message may begin with the address. */}
            <OutsideText text={message.startsWith(url) ? message : `${url}: ${message}`} />
          </li>
        ))}
        {left.map(({ entry, what }, i) => (
          <li key={`l${i}`}>
            <OutsideText text={entry} />: <OutsideText text={what} />
          </li>
        ))}
      </ul>
    </>
  )
}
