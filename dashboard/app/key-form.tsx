import { useState } from 'preact/hooks'
import { request } from '../api/request.js'
import { Field } from '../parts/field.js'
import { Refused } from '../parts/states.js'
import { useAct } from './use-act.js'

/** Asked where the service is open to others and wants a key. */
export function KeyForm({ onKey }: { onKey: () => void }) {
  const [key, setKey] = useState('')
  const { act, error } = useAct()
  const open = () => act(() => request('POST session', { body: { key: key.trim() } }).then(onKey))
  return (
    <form
      class="panel"
      onSubmit={(event) => {
        event.preventDefault()
        open()
      }}
    >
      <h1>This service asks for a key</h1>
      <p class="muted">
        This browser is known by a random id in a cookie that no script can read, until you log out.
        Make a key with revisit key add NAME.
      </p>
      <div class="row align-end">
        <Field name="API key">
          <input
            type="password"
            autocomplete="off"
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </Field>
        <button type="submit" class="first" disabled={key.trim() === ''}>
          Go on
        </button>
      </div>
      <Refused error={error} />
    </form>
  )
}
