import { useState } from 'preact/hooks'
import { request } from '../../api/request.js'
import { useAct } from '../../app/use-act.js'
import { Field } from '../../parts/field.js'
import { Refused } from '../../parts/states.js'

/** Asked for where the first public page is added: servers are not visited by somebody whom they cannot reach. */
export function ContactNeeded({ onSet }: { onSet: () => void }) {
  const [contact, setContact] = useState('')
  const { act, busy, error } = useAct()
  const set = () =>
    act(async () => {
      await request('PUT settings', { body: { settings: { contact: contact.trim() } } })
      onSet()
    })
  return (
    <div class="panel contact-needed">
      <p>
        Public sites must be able to reach whoever visits them. Your address is sent along with each
        visit, and nowhere else; it is asked for once.
      </p>
      <div class="row align-end">
        <Field name="Your e-mail or web address">
          <input
            value={contact}
            placeholder="you@example.org"
            autocomplete="email"
            onInput={(event) => setContact(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // The form around it would add the pages without it.
              event.preventDefault()
              set()
            }}
          />
        </Field>
        <button type="button" disabled={busy || contact.trim() === ''} onClick={set}>
          Set it and add them
        </button>
      </div>
      <Refused error={error} />
    </div>
  )
}
