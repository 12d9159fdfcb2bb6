import { outcomes } from '../../../src/model/history.js'
import { Field } from '../../parts/field.js'
import { TypedField } from '../../parts/typed-field.js'
import type { PageSearch } from './page-search.js'

export type SearchChange = Readonly<Record<string, string | undefined>>

/** Search and filters. */
export function Toolbar({
  search,
  onChange,
}: {
  search: PageSearch
  onChange: (change: SearchChange) => void
}) {
  return (
    <search class="row align-end toolbar">
      <TypedField
        name="Address contains"
        value={search.contains}
        onValue={(q) => onChange({ q })}
      />
      <TypedField name="Host" value={search.host} onValue={(host) => onChange({ host })} />
      <TypedField name="Group" value={search.group} onValue={(group) => onChange({ group })} />
      <Field name="Last visit">
        <select
          value={search.outcome ?? ''}
          onChange={(event) => onChange({ outcome: event.currentTarget.value })}
        >
          <option value="">any</option>
          {outcomes.map((outcome) => (
            <option key={outcome} value={outcome}>
              {outcome}
            </option>
          ))}
        </select>
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={search.due === true}
          onChange={(event) => onChange({ due: event.currentTarget.checked ? '1' : undefined })}
        />
        due now
      </label>
    </search>
  )
}
