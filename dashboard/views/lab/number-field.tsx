import { Field } from '../../parts/field.js'

/** A number that a run takes, with its name. */
export function NumberField({
  name,
  value,
  onChange,
}: {
  name: string
  value: number
  onChange: (value: number) => void
}) {
  return (
    <Field name={name}>
      <input
        class="short"
        type="number"
        min="0"
        value={value}
        onInput={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
    </Field>
  )
}
