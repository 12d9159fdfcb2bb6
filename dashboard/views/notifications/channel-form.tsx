import { useState } from 'preact/hooks'
import type { Answers } from '../../../src/server/answers.js'
import type { ChannelAnswer } from '../../../src/server/events/channels.js'
import { request } from '../../api/request.js'
import { useAct } from '../../app/use-act.js'
import { useLoad } from '../../app/use-load.js'
import { Field } from '../../parts/field.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Refused } from '../../parts/states.js'
import {
  type ChannelTexts,
  channelBody,
  channelChange,
  conditionFields,
  noTexts,
  textsOf,
  timingFields,
} from './channel-body.js'
import { MessageFields } from './message-fields.js'

type Kinds = Answers['GET channels/kinds']
type Kind = Kinds['kinds'][number]

/** A channel, new or one that there is: where it leads, of what it tells, in which words and when. The fields are those that its kind declares. */
export function ChannelForm({ channel, onDone }: { channel?: ChannelAnswer; onDone: () => void }) {
  const loaded = useLoad('kinds', (signal) => request('GET channels/kinds', { signal }))
  return (
    <LoadedView loaded={loaded} what="kinds of channels">
      {(kinds) => <FormOfKinds kinds={kinds} channel={channel} onDone={onDone} />}
    </LoadedView>
  )
}

/** In place of a kind: an address that names its service itself. */
const byAddress = 'address'

function FormOfKinds({
  kinds: { kinds, variables },
  channel,
  onDone,
}: {
  kinds: Kinds
  channel: ChannelAnswer | undefined
  onDone: () => void
}) {
  const [chosen, setChosen] = useState<string>(channel?.target.kind ?? kinds[0]!.kind)
  const [texts, setTexts] = useState<ChannelTexts>(
    channel === undefined ? noTexts : textsOf(channel),
  )
  const { act, busy, error } = useAct()
  const [secret, setSecret] = useState<string>()
  const kind = kinds.find((each) => each.kind === chosen)
  const put = (name: string) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setTexts((before) => ({ ...before, [name]: value }))
  }
  const save = () =>
    act(async () => {
      if (channel !== undefined) {
        const body = channelChange(kind!, { channel, texts })
        await request('PATCH channels/:id', { params: { id: channel.id }, body })
        return onDone()
      }
      const made = await request('POST channels', { body: channelBody(kind, texts) })
      setSecret(made.secret)
      setTexts(noTexts)
      onDone()
    })
  return (
    <form
      class="channel-form"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div class="setting-fields">
        <Field name="Through">
          <select
            value={chosen}
            disabled={channel !== undefined}
            onChange={(event) => {
              setChosen(event.currentTarget.value)
              setTexts(({ name = '' }) => ({ name }))
            }}
          >
            {kinds.map((each) => (
              <option key={each.kind} value={each.kind}>
                {each.label}
              </option>
            ))}
            <option value={byAddress}>An address in the form of Apprise</option>
          </select>
        </Field>
        <Field name="Name">
          <input required value={texts.name ?? ''} onInput={put('name')} />
        </Field>
      </div>
      <p class="muted small">{kind?.help ?? 'Such as discord://ID/TOKEN or tgram://TOKEN/CHAT.'}</p>
      <div class="setting-fields">
        {kind === undefined ? (
          <Field name="Address">
            <input required value={texts.address ?? ''} onInput={put('address')} />
          </Field>
        ) : (
          kind.fields.map((field) => (
            <KindField
              key={`${kind.kind} ${field.name}`}
              field={field}
              text={texts[`target.${field.name}`] ?? ''}
              onText={put(`target.${field.name}`)}
            />
          ))
        )}
      </div>
      <FieldGroup title="Only some changes" fields={conditionFields} texts={texts} put={put} />
      <FieldGroup title="When it is sent" fields={timingFields} texts={texts} put={put} />
      <MessageFields variables={variables} texts={texts} put={put} />
      <div class="row">
        <button type="submit" class="first" disabled={busy}>
          {channel === undefined ? 'Add the channel' : 'Save the channel'}
        </button>
        <span role="status">
          {secret === undefined ? '' : `Its secret, shown only now: ${secret}`}
        </span>
      </div>
      <Refused error={error} />
    </form>
  )
}

function KindField({
  field: { type, label, help, optional, secret },
  text,
  onText,
}: {
  field: Kind['fields'][number]
  text: string
  onText: (event: { currentTarget: { value: string } }) => void
}) {
  const words = [
    help,
    type === 'list' ? 'with commas between' : undefined,
    optional ? 'may stay empty' : undefined,
  ]
  return (
    <div class="setting">
      <Field name={label}>
        {type === 'long-text' ? (
          <textarea rows={3} required={!optional} value={text} onInput={onText} />
        ) : (
          <input
            required={!optional}
            {...(secret ? { autocomplete: 'off' } : {})}
            inputMode={type === 'number' || type === 'seconds' ? 'decimal' : undefined}
            value={text}
            onInput={onText}
          />
        )}
      </Field>
      <p class="muted small setting-help">
        <OutsideText text={words.filter(Boolean).join('; ')} />
      </p>
    </div>
  )
}

function FieldGroup({
  title,
  fields,
  texts,
  put,
}: {
  title: string
  fields: readonly { readonly name: string; readonly label: string; readonly help?: string }[]
  texts: ChannelTexts
  put: (name: string) => (event: { currentTarget: { value: string } }) => void
}) {
  return (
    <details>
      <summary>{title}</summary>
      <div class="setting-fields">
        {fields.map(({ name, label, help }) => (
          <div key={name} class="setting">
            <Field name={label}>
              <input value={texts[name] ?? ''} onInput={put(name)} />
            </Field>
            {help === undefined ? null : <p class="muted small setting-help">{help}</p>}
          </div>
        ))}
      </div>
    </details>
  )
}
