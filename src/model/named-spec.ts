import { parseDuration } from './duration.js'
import { OptionError } from './errors.js'

/**
 * How the text of a parameter is read: `duration` 3d, `number` 0.5, `limit` a
 * number or `none`, `durations` 1h/10d, `numbers` 0.8/0.2, `process` a change
 * process in parentheses, `prior` what is assumed of pages before they are visited,
 * `name` one of some names, `threshold` a number or a duration.
 */
export type ParameterForm =
  | 'duration'
  | 'number'
  | 'limit'
  | 'durations'
  | 'numbers'
  | 'process'
  | 'prior'
  | 'name'
  | 'threshold'

export interface Parameter {
  readonly name: string
  readonly form: ParameterForm
  /** As one would write it. */
  readonly default: string
  readonly description: string
}

/** Declares a parameter of a form: `parameterOf('duration')('gap', '7d', 'time between visits')`. */
export function parameterOf(form: ParameterForm) {
  return (name: string, written: string, description: string): Parameter => ({
    name,
    form,
    default: written,
    description,
  })
}

/** Something that can be asked for by name, with parameters. */
export interface NamedKind {
  readonly name: string
  readonly parameters: readonly Parameter[]
}

/** What a text asks for; what it does not write has its default. */
export interface NamedSpec<Kind extends NamedKind> {
  readonly kind: Kind
  number(name: string): number
  numbers(name: string): readonly number[]
  /** A parameter in a form of the caller's own. */
  read<T>(name: string, reader: (text: string) => T): T
}

/** Parameters by the options of a factory that they set. */
export type OptionParameters<Options> = { readonly [Option in keyof Options]: Parameter }

/** What a factory is called with: of each parameter its number or numbers, under the option that it sets. */
export function optionsIn<Options>(
  parameters: OptionParameters<Options>,
  { number, numbers }: Pick<NamedSpec<NamedKind>, 'number' | 'numbers'>,
): Options {
  const set = Object.entries<Parameter>(parameters).map(([option, { name, form }]) => [
    option,
    form === 'numbers' || form === 'durations' ? numbers(name) : number(name),
  ])
  return Object.fromEntries(set) as Options
}

/**
 * Reads a name, then parameters in any order: `weibull:period=3d,shape=0.5`.
 * Durations are 5min, 2h, 3d, 2w; lists are split by `/`; what stands in
 * parentheses is left whole. An unknown name or parameter is refused with the
 * list of what there is.
 */
export function readNamedSpec<Kind extends NamedKind>(
  spec: string,
  { what, kinds }: { readonly what: string; readonly kinds: readonly Kind[] },
): NamedSpec<Kind> {
  const [name = '', rest = ''] = splitOnce(spec.trim(), ':').map((part) => part.trim())
  const kind = named(kinds, { what, name })
  return specOf(kind, writtenIn(kind, rest))
}

/** The one of that name, or an error that lists what there is. */
export function named<T extends { readonly name: string }>(
  list: readonly T[],
  { what, name }: { readonly what: string; readonly name: string },
): T {
  const found = list.find((each) => each.name === name)
  if (found !== undefined) return found
  const known = list.map((each) => each.name).join(', ')
  throw new OptionError(`unknown-${what}`, `there is no ${what} "${name}"; there are: ${known}`)
}

function specOf<Kind extends NamedKind>(
  kind: Kind,
  written: ReadonlyMap<string, string>,
): NamedSpec<Kind> {
  const read = <T>(name: string, reader: (text: string, parameter: Parameter) => T): T => {
    const parameter = kind.parameters.find((each) => each.name === name)!
    try {
      return reader(written.get(name) ?? parameter.default, parameter)
    } catch (error) {
      if (!(error instanceof OptionError)) throw error
      throw new OptionError(error.code, `${kind.name}: ${name}: ${error.message}`, { cause: error })
    }
  }
  return {
    kind,
    read,
    number: (name) => read(name, readNumber),
    numbers: (name) =>
      read(name, (text, parameter) => text.split('/').map((each) => readNumber(each, parameter))),
  }
}

function writtenIn(kind: NamedKind, text: string): Map<string, string> {
  const written = new Map<string, string>()
  for (const item of splitOutside(text, ',')) {
    if (item.trim() === '') continue
    const [name = '', value] = splitOnce(item, '=').map((part) => part.trim())
    if (value === undefined)
      throw new OptionError(
        'bad-parameter',
        `${kind.name}: "${item}" is not of the form name=value`,
      )
    if (!kind.parameters.some((each) => each.name === name)) {
      const known = kind.parameters.map((each) => each.name).join(', ') || 'none'
      throw new OptionError(
        'unknown-parameter',
        `${kind.name} has no parameter "${name}"; it has: ${known}`,
      )
    }
    if (written.has(name))
      throw new OptionError('bad-parameter', `${kind.name}: ${name} is given twice`)
    written.set(name, value)
  }
  return written
}

function readNumber(text: string, { form }: Parameter): number {
  if (form === 'duration' || form === 'durations') return parseDuration(text)
  if (form === 'limit' && text.trim() === 'none') return Infinity
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(value)) return value
  throw new OptionError('bad-parameter', `"${text}" is not a number`)
}

function splitOnce(text: string, mark: string): string[] {
  const at = text.indexOf(mark)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)]
}

/** Splits at marks that stand in no parentheses, and refuses parentheses that do not match. */
function splitOutside(text: string, mark: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of text) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (depth < 0) break
    if (letter === mark && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  if (depth === 0) return parts
  throw new OptionError('bad-parameter', `the parentheses of "${text}" do not match`)
}
