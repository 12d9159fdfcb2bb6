import { useState } from 'preact/hooks'
import type { PageAnswer } from '../../../../src/server/pages/page-schema.js'
import { request } from '../../../api/request.js'
import { useAct } from '../../../app/use-act.js'
import { Field } from '../../../parts/field.js'
import { OutsideText } from '../../../parts/outside-text.js'
import { Refused } from '../../../parts/states.js'

/** Headers that are sent to the page's own site. They may be secrets: values are written, never shown. */
export function HeaderFields({ page, reload }: { page: PageAnswer; reload: () => void }) {
  const [text, setText] = useState('')
  const { act, busy, error } = useAct()
  const names = Object.keys(page.settings.headers ?? {})
  const send = (headers: () => Readonly<Record<string, string>> | null) =>
    act(async () => {
      const params = { id: page.id }
      await request('PATCH pages/:id', { params, body: { settings: { headers: headers() } } })
      setText('')
      reload()
    })
  return (
    <fieldset class="panel">
      <legend>Headers</legend>
      <p>
        {names.length === 0 ? (
          'No header of its own is sent.'
        ) : (
          <>
            Sent to its own site: <OutsideText text={names.join(', ')} />. Values are not shown.
          </>
        )}
      </p>
      <Field name="New headers in place of all, one a line">
        <textarea
          rows={2}
          placeholder="Cookie: session=…"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </Field>
      <div class="row turn">
        <button
          type="button"
          disabled={busy || text.trim() === ''}
          onClick={() => send(() => headersIn(text))}
        >
          Set these headers
        </button>
        <button
          type="button"
          disabled={busy || names.length === 0}
          onClick={() => send(() => null)}
        >
          Send none
        </button>
      </div>
      <Refused error={error} />
    </fieldset>
  )
}

/** `Name: value`, one a line; names in lower case, as the service keeps them. */
function headersIn(text: string): Record<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const mark = line.indexOf(':')
      if (mark < 1) throw new Error(`Headers are written Name: value; “${line.trim()}” is not.`)
      return [line.slice(0, mark).trim().toLowerCase(), line.slice(mark + 1).trim()]
    }),
  )
}
