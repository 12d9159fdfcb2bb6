import { type ChangeProcess, readNamedSpec } from '../../model/index.js'
import { processes } from './registry.js'

/**
 * The process that a text asks for: a name, then parameters in any order, such
 * as `weibull:period=3d,shape=0.5`; what is left out has its default.
 * Durations are 5min, 2h, 3d, 2w; lists are split by `/`; a process within a
 * process stands in parentheses: `change-point:before=(constant:period=1d),at=30d`.
 */
export function changeProcess(spec: string): ChangeProcess {
  const { kind, number, numbers, read } = readNamedSpec(spec, { what: 'process', kinds: processes })
  const process = (name: string) => read(name, (text) => changeProcess(withoutParentheses(text)))
  return kind.create({ number, numbers, process })
}

function withoutParentheses(text: string): string {
  return text.startsWith('(') && text.endsWith(')') ? text.slice(1, -1) : text
}
