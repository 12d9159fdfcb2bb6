import { useState } from 'preact/hooks'
import type { Answers } from '../../../src/server/answers.js'
import { request } from '../../api/request.js'
import { useAct } from '../../app/use-act.js'
import { Field } from '../../parts/field.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Panel } from '../../parts/panel.js'
import { Refused } from '../../parts/states.js'
import { Moment } from '../../parts/time.js'

type Row = Answers['GET settings']['details'][number]
type Texts = Readonly<Record<string, string>>

/** The settings that can be changed while the service runs: each with what counts, and what the configuration says. */
export function LiveSettings({ rows, reload }: { rows: readonly Row[]; reload: () => void }) {
  const own = rows.filter(({ changeable }) => changeable)
  const [texts, setTexts] = useState<Texts>({})
  const [saved, setSaved] = useState(false)
  const { act, busy, error } = useAct()
  const send = (settings: Readonly<Record<string, string | null>>) =>
    act(async () => {
      await request('PUT settings', { body: { settings } })
      setTexts((before) =>
        Object.fromEntries(Object.entries(before).filter(([name]) => !(name in settings))),
      )
      setSaved(true)
      reload()
    })
  const changed = own.filter(({ name, value }) => (texts[name] ?? shown(value)) !== shown(value))
  return (
    <form
      class="panel"
      aria-label="Settings to change"
      onSubmit={(event) => {
        event.preventDefault()
        send(Object.fromEntries(changed.map(({ name }) => [name, written(texts[name] ?? '')])))
      }}
    >
      <h2>While it runs</h2>
      <p class="muted small">
        What is set here counts at once, for every process on this store. It goes before
        revisit.yaml, the environment and options as long as those say what they say now; once one
        of them says something else, that counts.
      </p>
      <div class="setting-fields">
        {own.map((row) => (
          <div key={row.name} class="setting">
            <Field name={titleOf(row.name)}>
              <input
                name={row.name}
                value={texts[row.name] ?? shown(row.value)}
                placeholder="none"
                autocomplete="off"
                spellcheck={false}
                aria-describedby={`about-${row.name}`}
                onInput={(event) => {
                  const text = event.currentTarget.value
                  setSaved(false)
                  setTexts((before) => ({ ...before, [row.name]: text }))
                }}
              />
            </Field>
            <p id={`about-${row.name}`} class="muted small setting-help">
              {sentenceOf(row.summary)} <Whence row={row} />
            </p>
            {row.setAt === null ? null : (
              <button type="button" disabled={busy} onClick={() => send({ [row.name]: null })}>
                Back to <OutsideText text={row.configured} />
              </button>
            )}
          </div>
        ))}
      </div>
      <div class="save-row">
        <Refused error={error} />
        <div class="row">
          <button type="submit" class="first" disabled={busy || changed.length === 0}>
            {busy ? 'Saving …' : 'Save the settings'}
          </button>
          <span role="status">{saved && !busy && error === undefined ? 'Saved.' : ''}</span>
        </div>
      </div>
    </form>
  )
}

/** The rest, to be read. */
export function FixedSettings({ rows }: { rows: readonly Row[] }) {
  const fixed = rows.filter(({ changeable }) => !changeable)
  return (
    <Panel
      title="From the configuration alone"
      note="They come from revisit.yaml, the environment and the command line, and hold until the service is started again."
    >
      <dl class="facts">
        {fixed.map((row) => (
          <FixedSetting key={row.name} row={row} />
        ))}
      </dl>
    </Panel>
  )
}

function FixedSetting({ row: { name, value, from } }: { row: Row }) {
  return (
    <>
      <dt>{name}</dt>
      <dd class="mono">
        <OutsideText text={value} />
        {from === 'default' ? null : (
          <span class="muted small">
            {' '}
            by <OutsideText text={originWords(from)} />
          </span>
        )}
      </dd>
    </>
  )
}

/** Where the value in force comes from, and what else was said. */
function Whence({ row }: { row: Row }) {
  const { setAt, from, configured, configuredFrom } = row
  if (setAt === null)
    return from === 'default' ? null : <OutsideText text={`By ${originWords(from)}.`} />
  return (
    <>
      Set here <Moment at={setAt} />,{' '}
      <OutsideText text={`over ${configured} by ${originWords(configuredFrom)}.`} />
    </>
  )
}

function originWords(from: string): string {
  if (from === 'default') return 'default'
  if (from.startsWith('--')) return `the option ${from}`
  return from.startsWith('REVISIT_') ? `${from} of the environment` : from
}

function shown(value: string): string {
  return value === 'none' ? '' : value
}

function written(text: string): string {
  return text.trim() === '' ? 'none' : text.trim()
}

/** `keep-versions` as a person reads it. */
function titleOf(name: string): string {
  if (name === 'smtp') return 'Mail server (SMTP)'
  const words = name.replaceAll('-', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}

function sentenceOf(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}
