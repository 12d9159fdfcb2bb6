import type { ChangeProcess } from '../../model/index.js'

/**
 * How the text of a parameter is read: `duration` 3d, `number` 0.5, `durations`
 * 1h/10d, `numbers` 0.8/0.2, `process` another process in parentheses.
 */
export type ParameterForm = 'duration' | 'number' | 'durations' | 'numbers' | 'process'

export interface Parameter {
  readonly name: string
  readonly form: ParameterForm
  /** As one would write it. */
  readonly default: string
  readonly description: string
}

/** What was written for the parameters, read; what was not written has its default. */
export interface ParameterValues {
  number(name: string): number
  numbers(name: string): readonly number[]
  process(name: string): ChangeProcess
}

/** A kind of process that can be asked for by name. */
export interface ProcessKind {
  readonly name: string
  /** One sentence for a person who chooses. */
  readonly summary: string
  readonly parameters: readonly Parameter[]
  create(values: ParameterValues): ChangeProcess
}
