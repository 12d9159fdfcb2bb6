import { Field } from '../../parts/field.js'

/** A number that a run takes, with its name. */
export function NumberField({
  name,
  value,
  step = '1',
  onChange,
}: {
  name: string
  value: number
  step?: '1' | 'any'
  onChange: (value: number) => void
}) {
  return (
    <Field name={name}>
      <input
        class="short"
        type="number"
        min="0"
        step={step}
        value={value}
        onInput={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
    </Field>
  )
}
