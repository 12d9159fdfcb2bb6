import { useState } from 'preact/hooks'
import { request } from '../api/request.js'
import { Field } from '../parts/field.js'
import { Refused } from '../parts/states.js'
import { useAct } from './use-act.js'
import { useLoad } from './use-load.js'

/** Asked where the service is open to others: the password of its person, or a key. */
export function SignIn({ onSigned }: { onSigned: () => void }) {
  const { data } = useLoad('session', (signal) => request('GET session', { signal }))
  const [byKey, setByKey] = useState(false)
  const [text, setText] = useState('')
  const { act, busy, error } = useAct()
  if (data === undefined) return null
  const asksKey = byKey || !data.password
  const body = asksKey ? { key: text.trim() } : { password: text }
  return (
    <form
      class="panel sign-in"
      onSubmit={(event) => {
        event.preventDefault()
        act(() => request('POST session', { body }).then(onSigned))
      }}
    >
      <h1>{asksKey ? 'This service asks for a key' : 'Sign in'}</h1>
      <p class="muted">
        This browser is known by a random id in a cookie that no script can read, until you log out.
        {data.password ? null : (
          <>
            {' '}
            In a terminal, <code>revisit key add NAME</code> makes a key, and{' '}
            <code>revisit password set</code> sets a password to sign in with instead.
          </>
        )}
      </p>
      <div class="row align-end">
        <Field name={asksKey ? 'API key' : 'Password'}>
          <input
            type="password"
            autocomplete={asksKey ? 'off' : 'current-password'}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </Field>
        <button type="submit" class="first" disabled={busy || text.trim() === ''}>
          {busy ? 'Signing in …' : asksKey ? 'Go on' : 'Sign in'}
        </button>
        {data.password ? (
          <button
            type="button"
            onClick={() => {
              setText('')
              setByKey(!byKey)
            }}
          >
            {byKey ? 'Use the password' : 'Use a key'}
          </button>
        ) : null}
      </div>
      <Refused error={error} />
    </form>
  )
}
