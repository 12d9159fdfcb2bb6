import type { ProcessKind } from '../../../src/lab/process/parameters.js'
import { processes } from '../../../src/lab/process/registry.js'
import { Field } from '../../parts/field.js'

/** A process and its parameters as written, by name. */
export interface ChosenProcess {
  readonly name: string
  readonly values: Readonly<Record<string, string>>
}

export const firstProcess: ChosenProcess = { name: 'poisson', values: { period: '2d' } }

export function kindOf({ name }: ChosenProcess): ProcessKind {
  return processes.find((each) => each.name === name) ?? processes[0]!
}

/** As `revisit simulate` takes it: `weibull:period=3d,shape=0.5`. */
export function specOf(chosen: ChosenProcess): string {
  const written = Object.entries(chosen.values).filter(([, value]) => value.trim() !== '')
  return `${chosen.name}:${written.map(([name, value]) => `${name}=${value}`).join(',')}`
}

export function ProcessFields({
  chosen,
  onChange,
}: {
  chosen: ChosenProcess
  onChange: (chosen: ChosenProcess) => void
}) {
  const kind = kindOf(chosen)
  return (
    <div class="row align-start">
      <Field name="Change process">
        <select
          value={chosen.name}
          onChange={(event) => onChange({ name: event.currentTarget.value, values: {} })}
        >
          {processes.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      {kind.parameters.map(({ name, default: written, description }) => (
        <Field key={name} name={`${name}: ${description}`}>
          <input
            value={chosen.values[name] ?? written}
            onInput={(event) =>
              onChange({
                ...chosen,
                values: { ...chosen.values, [name]: event.currentTarget.value },
              })
            }
          />
        </Field>
      ))}
    </div>
  )
}
