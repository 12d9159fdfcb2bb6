import { useState } from 'preact/hooks'
import type { Answers } from '../../../src/server/answers.js'
import { request } from '../../api/request.js'
import { useAct } from '../../app/use-act.js'
import { Field } from '../../parts/field.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Refused } from '../../parts/states.js'
import type { ChannelTexts } from './channel-body.js'

/** Words of one's own for a channel's messages, and what they come to. */
export function MessageFields({
  variables,
  texts,
  put,
}: {
  variables: Answers['GET channels/kinds']['variables']
  texts: ChannelTexts
  put: (name: string) => (event: { currentTarget: { value: string } }) => void
}) {
  const [seen, setSeen] = useState<Answers['POST channels/preview']>()
  const { act, busy, error } = useAct()
  const preview = () =>
    act(async () => {
      const title = (texts['message.title'] ?? '').trim()
      const body = (texts['message.body'] ?? '').trim()
      const message = { ...(title === '' ? {} : { title }), ...(body === '' ? {} : { body }) }
      setSeen(await request('POST channels/preview', { body: { message } }))
    })
  return (
    <details>
      <summary>Words of the message</summary>
      <div class="setting-fields">
        <Field name="Title">
          <input value={texts['message.title'] ?? ''} onInput={put('message.title')} />
        </Field>
        <Field name="Body">
          <textarea rows={3} value={texts['message.body'] ?? ''} onInput={put('message.body')} />
        </Field>
      </div>
      <div class="row turn">
        <button type="button" disabled={busy} onClick={preview}>
          Preview the message
        </button>
      </div>
      <Refused error={error} />
      {seen === undefined ? null : (
        <div class="diff message-preview" role="status">
          <p class="strong">
            <OutsideText text={seen.title} />
          </p>
          {seen.body.split('\n').map((line, i) => (
            <p key={i}>
              <OutsideText text={line} />
            </p>
          ))}
        </div>
      )}
      <dl class="facts small">
        {variables.map(({ name, means }) => (
          <>
            <dt key={name} class="mono">{`{{${name}}}`}</dt>
            <dd>{means}</dd>
          </>
        ))}
      </dl>
    </details>
  )
}
