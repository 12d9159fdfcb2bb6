import { useState } from 'preact/hooks'
import { request } from '../../api/request.js'
import { useAct } from '../../app/use-act.js'
import { Field } from '../../parts/field.js'
import { Refused } from '../../parts/states.js'

type Kind = 'webhook' | 'email' | 'ntfy'

const empty = {
  kind: 'webhook' as Kind,
  name: '',
  to: '',
  group: '',
  url: '',
  appear: '',
  disappear: '',
  share: '',
}

const addressNames: Readonly<Record<Kind, string>> = {
  webhook: 'Address that takes the POST',
  email: 'Addresses, with commas between',
  ntfy: 'Address of the topic',
}

/** A new channel: where it leads, and of what it tells. */
export function ChannelForm({ onDone }: { onDone: () => void }) {
  const [form, setForm] = useState(empty)
  const { act, error } = useAct()
  const [secret, setSecret] = useState<string>()
  const put = (name: keyof typeof empty) => (event: { currentTarget: { value: string } }) =>
    setForm({ ...form, [name]: event.currentTarget.value })
  const add = () =>
    act(async () => {
      const made = await request('POST channels', { body: bodyOf(form) })
      setSecret(made.secret)
      setForm({ ...empty, kind: form.kind })
      onDone()
    })
  return (
    <form
      class="channel-form"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <div class="row align-start">
        <Field name="Through">
          <select value={form.kind} onChange={put('kind')}>
            <option value="webhook">webhook</option>
            <option value="email">e-mail</option>
            <option value="ntfy">ntfy</option>
          </select>
        </Field>
        <Field name="Name">
          <input required value={form.name} onInput={put('name')} />
        </Field>
        <Field name={addressNames[form.kind]}>
          <input class="long" required value={form.to} onInput={put('to')} />
        </Field>
      </div>
      <div class="row align-start">
        <Field name="Only the group">
          <input value={form.group} onInput={put('group')} />
        </Field>
        <Field name="Only addresses like (* is any text)">
          <input value={form.url} onInput={put('url')} />
        </Field>
        <Field name="Only if one of these words appears">
          <input value={form.appear} onInput={put('appear')} />
        </Field>
        <Field name="or one of these disappears">
          <input value={form.disappear} onInput={put('disappear')} />
        </Field>
        <Field name="Least share changed, %">
          <input
            class="short"
            type="number"
            min="0"
            max="100"
            value={form.share}
            onInput={put('share')}
          />
        </Field>
      </div>
      <div class="row">
        <button type="submit" class="first">
          Add the channel
        </button>
        <span role="status">
          {secret === undefined ? '' : `Its secret, shown only now: ${secret}`}
        </span>
      </div>
      <Refused error={error} />
    </form>
  )
}

function bodyOf(form: typeof empty): unknown {
  const list = (text: string) =>
    text
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean)
  const given = (name: string, value: unknown, present: boolean) =>
    present ? { [name]: value } : {}
  const to = form.to.trim()
  return {
    name: form.name.trim(),
    target: form.kind === 'email' ? { kind: 'email', to: list(to) } : { kind: form.kind, url: to },
    when: {
      ...given('group', form.group.trim(), form.group.trim() !== ''),
      ...given('url', form.url.trim(), form.url.trim() !== ''),
      ...given('appear', list(form.appear), list(form.appear).length > 0),
      ...given('disappear', list(form.disappear), list(form.disappear).length > 0),
      ...given('changedShare', Number(form.share) / 100, form.share !== ''),
    },
  }
}
