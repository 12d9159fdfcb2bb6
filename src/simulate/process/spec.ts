import { type ChangeProcess, OptionError } from '../../model/index.js'
import { parseDuration } from './duration.js'
import type { Parameter, ParameterValues, ProcessKind } from './process-kind.js'
import { processes } from './registry.js'

/**
 * The process that a text asks for: a name, then parameters in any order, such
 * as `weibull:period=3d,shape=0.5`; what is left out has its default.
 * Durations are 5min, 2h, 3d, 2w; lists are split by `/`; a process within a
 * process stands in parentheses: `change-point:before=(constant:period=1d),at=30d`.
 */
export function changeProcess(spec: string): ChangeProcess {
  const [name = '', rest] = splitOnce(spec.trim(), ':')
  const kind = processes.find((each) => each.name === name.trim())
  if (kind === undefined) {
    const known = processes.map((each) => each.name).join(', ')
    throw new OptionError(
      'unknown-process',
      `there is no process "${name.trim()}"; there are: ${known}`,
    )
  }
  return kind.create(valuesOf(kind, writtenIn(kind, rest ?? '')))
}

function writtenIn(kind: ProcessKind, text: string): Map<string, string> {
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
      const known = kind.parameters.map((each) => each.name).join(', ')
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

function valuesOf(kind: ProcessKind, written: ReadonlyMap<string, string>): ParameterValues {
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
    number: (name) => read(name, readNumber),
    numbers: (name) =>
      read(name, (text, parameter) => text.split('/').map((each) => readNumber(each, parameter))),
    process: (name) => read(name, (text) => changeProcess(withoutParentheses(text))),
  }
}

function readNumber(text: string, { form }: Parameter): number {
  if (form === 'duration' || form === 'durations') return parseDuration(text)
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(value)) return value
  throw new OptionError('bad-parameter', `"${text}" is not a number`)
}

function withoutParentheses(text: string): string {
  return text.startsWith('(') && text.endsWith(')') ? text.slice(1, -1) : text
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
