import { useState } from 'preact/hooks'
import type { ImportedVisitsAnswer } from '../../../src/server/pages/import.js'
import { request } from '../../api/request.js'
import { useAct } from '../../app/use-act.js'
import { Field } from '../../parts/field.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Refused } from '../../parts/states.js'
import { plural } from '../../parts/words.js'

/** Takes in a log of visits that were made elsewhere, so that estimates need not begin anew. */
export function ImportLog({ onDone }: { onDone: () => void }) {
  const [result, setResult] = useState<ImportedVisitsAnswer>()
  const { act, busy, error } = useAct()
  const take = (file: File) =>
    act(async () => {
      const contentType = /\.csv(\.gz)?$/i.test(file.name) ? 'text/csv' : 'application/x-ndjson'
      const raw = { content: file, contentType }
      setResult(await request('POST import/visits', { raw }))
      onDone()
    })
  return (
    <details>
      <summary>Import a log of visits</summary>
      <Field name="CSV or JSON lines, with url, time and outcome; gzipped or not">
        <input
          type="file"
          accept=".csv,.jsonl,.ndjson,.gz"
          disabled={busy}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            if (file !== undefined) take(file)
          }}
        />
      </Field>
      <div role="status">
        {busy ? 'Importing …' : null}
        {result === undefined || busy
          ? null
          : `${plural(result.visits, 'visit')} of ${plural(result.pages, 'page')} (${result.newPages} new), ${plural(result.badLines, 'bad line')}.`}
      </div>
      {result === undefined || result.problems.length === 0 ? null : (
        <ul class="refusals">
          {result.problems.slice(0, 10).map(({ line, message }) => (
            <li key={line}>
              Line {line}: <OutsideText text={message} />
            </li>
          ))}
        </ul>
      )}
      <Refused error={error} />
    </details>
  )
}
