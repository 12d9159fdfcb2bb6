import { useState } from 'preact/hooks'
import { request } from '../../api/request.js'
import { useService } from '../../app/service.js'
import { useAct } from '../../app/use-act.js'
import { useLoad } from '../../app/use-load.js'
import { Field } from '../../parts/field.js'
import { Panel } from '../../parts/panel.js'
import { Refused } from '../../parts/states.js'

/** Sets the password by which a person signs in where the service is open to others. */
export function PasswordForm() {
  const { overview, reload } = useService()
  const { data, reload: ask } = useLoad('session', (signal) => request('GET session', { signal }))
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [saved, setSaved] = useState(false)
  const { act, busy, error } = useAct()
  if (data === undefined || overview?.demo === true) return null
  const body = { password, ...(data.password ? { current } : {}) }
  const set = () =>
    act(async () => {
      await request('PUT password', { body })
      setCurrent('')
      setPassword('')
      setSaved(true)
      ask()
      reload()
    })
  return (
    <Panel
      title="Password"
      note={
        data.password
          ? 'A password is set. Another one signs out every browser that signed in with it.'
          : 'No password is set. Where this service is open to other machines, a person signs in with it; programs have keys.'
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          set()
        }}
      >
        {data.password ? (
          <Field name="Current password">
            <input
              type="password"
              autocomplete="current-password"
              value={current}
              onInput={(event) => setCurrent(event.currentTarget.value)}
            />
          </Field>
        ) : null}
        <Field name="New password, ten letters at least">
          <input
            type="password"
            autocomplete="new-password"
            value={password}
            onInput={(event) => {
              setSaved(false)
              setPassword(event.currentTarget.value)
            }}
          />
        </Field>
        <div class="row turn">
          <button type="submit" disabled={busy || password === ''}>
            {busy ? 'Setting …' : 'Set the password'}
          </button>
          <span role="status">{saved && error === undefined ? 'The password is set.' : ''}</span>
        </div>
        <Refused error={error} />
      </form>
    </Panel>
  )
}
