import { useState } from 'preact/hooks'
import type { Json } from '../../../../src/model/units.js'
import type { PageAnswer } from '../../../../src/server/pages/page-schema.js'
import { request } from '../../../api/request.js'
import { linkTo } from '../../../app/route.js'
import { useAct } from '../../../app/use-act.js'
import { Field } from '../../../parts/field.js'
import { Refused } from '../../../parts/states.js'
import { allFields, fieldGroups, readText, type SettingField, textOf, valueIn } from './fields.js'
import { HeaderFields } from './header-fields.js'
import { Preview } from './preview.js'

type Texts = Readonly<Record<string, string>>

/** What was written and not saved, by the page: it is there again after a look at another view. */
const drafts = new Map<string, Texts>()

/** Every setting of a page: seen, set and cleared. An empty field is as for all pages. */
export function SettingsForm({ page, reload }: { page: PageAnswer; reload: () => void }) {
  const [texts, setTexts] = useState<Texts>(() => ({ ...textsOf(page), ...drafts.get(page.id) }))
  const [saved, setSaved] = useState(false)
  const { act, busy, error } = useAct()
  const put = (name: string, text: string) => {
    setSaved(false)
    setTexts((before) => ({ ...before, [name]: text }))
    drafts.set(page.id, { ...drafts.get(page.id), [name]: text })
  }
  const takeBack = () => {
    drafts.delete(page.id)
    setTexts(textsOf(page))
  }
  const save = () =>
    act(async () => {
      const body = changesIn(page, texts)
      const params = { id: page.id }
      if (Object.keys(body).length > 0) {
        const changed = await request('PATCH pages/:id', { params, body })
        setTexts(textsOf(changed))
      }
      drafts.delete(page.id)
      setSaved(true)
      reload()
    })
  return (
    <form
      class="page-settings"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <p class="muted">
        An empty field is as for all pages.{' '}
        <a href={linkTo(['pages', page.id, 'choose'])}>Choose a part by clicking on the page</a>
      </p>
      {fieldGroups.map(({ title, fields }) => (
        <fieldset key={title} class="panel">
          <legend>{title}</legend>
          <div class="setting-fields">
            {fields.map((field) => (
              <SettingInput
                key={field.name}
                field={field}
                text={texts[field.name] ?? ''}
                onText={(text) => put(field.name, text)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <HeaderFields page={page} reload={reload} />
      <div class="save-row">
        <Refused error={error} />
        <div class="row">
          <button type="submit" class="first" disabled={busy}>
            {busy ? 'Saving …' : 'Save the settings'}
          </button>
          {drafts.has(page.id) ? (
            <button type="button" class="plain" disabled={busy} onClick={takeBack}>
              Take back what is not saved
            </button>
          ) : null}
          <span role="status">{saved && !busy && error === undefined ? 'Saved.' : ''}</span>
        </div>
      </div>
      <Preview url={page.url} settings={() => readingOf(texts)} />
    </form>
  )
}

function SettingInput({
  field,
  text,
  onText,
}: {
  field: SettingField
  text: string
  onText: (text: string) => void
}) {
  const { name, label, help, kind, choices, usual } = field
  const input = (event: { currentTarget: { value: string } }) => onText(event.currentTarget.value)
  return (
    <div class={kind === 'lines' ? 'setting wide' : 'setting'}>
      <Field name={label}>
        {kind === 'lines' ? (
          <textarea rows={Math.max(2, text.split('\n').length)} value={text} onInput={input} />
        ) : kind === 'choice' || kind === 'yes-no' ? (
          <select value={text} onChange={input}>
            <option value="">{`as usual (${usual})`}</option>
            {(choices ?? ['yes', 'no']).map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        ) : (
          <input
            value={text}
            placeholder={usual}
            list={choices === undefined ? undefined : `choices-${name}`}
            inputMode={kind === 'number' ? 'decimal' : undefined}
            onInput={input}
          />
        )}
      </Field>
      {kind === 'text' && choices !== undefined ? (
        <datalist id={`choices-${name}`}>
          {choices.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      ) : null}
      {help === undefined ? null : <p class="muted small setting-help">{help}</p>}
    </div>
  )
}

function textsOf(page: PageAnswer): Texts {
  return Object.fromEntries(
    allFields.map((field) => [field.name, textOf(valueIn(page, field), field)]),
  )
}

/** Only what is other than before; null takes a setting away. Throws what is wrong with a text. */
function changesIn(page: PageAnswer, texts: Texts): Record<string, unknown> {
  const before = textsOf(page)
  const changed = allFields.filter(({ name }) => texts[name] !== before[name])
  const given = (field: SettingField) => {
    const value = readText(texts[field.name] ?? '', field)
    if (value instanceof Error) throw value
    return value
  }
  const own = changed
    .filter(({ place }) => place === 'page')
    .map((field) => [field.name, given(field) ?? cleared[field.name] ?? null])
  const settings: [string, unknown][] = changed
    .filter(({ place }) => place === 'settings')
    .map((field) => [field.name, given(field) ?? null])
  if (changed.some(({ place }) => place === 'reading')) settings.push(['reading', readingOf(texts)])
  if (changed.some(({ place }) => place === 'discover'))
    settings.push(['discover', discoverOf(texts)])
  return {
    ...Object.fromEntries(own),
    ...(settings.length === 0 ? {} : { settings: Object.fromEntries(settings) }),
  }
}

const cleared: Readonly<Record<string, unknown>> = { importance: 1, tags: [] }

/** The rules of reading that the form holds; null where there are none. */
function readingOf(texts: Texts): Json {
  const rules = rulesIn(texts, 'reading')
  return Object.keys(rules).length === 0 ? null : rules
}

/** Those of discovery; null where no page is followed. */
function discoverOf(texts: Texts): Json {
  const { follow, ...rules } = rulesIn(texts, 'discover')
  return follow === true ? rules : null
}

function rulesIn(texts: Texts, wanted: SettingField['place']): Record<string, Json> {
  const rules = allFields
    .filter(({ place }) => place === wanted)
    .flatMap((field) => {
      const value = readText(texts[field.name] ?? '', field)
      if (value instanceof Error) throw value
      return value === undefined ? [] : [[field.name, value] as const]
    })
  return Object.fromEntries(rules)
}
