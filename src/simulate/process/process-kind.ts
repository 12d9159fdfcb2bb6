import type { ChangeProcess, NamedKind } from '../../model/index.js'

export type { Parameter, ParameterForm } from '../../model/index.js'

/** What was written for the parameters, read; what was not written has its default. */
export interface ParameterValues {
  number(name: string): number
  numbers(name: string): readonly number[]
  process(name: string): ChangeProcess
}

/** A kind of process that can be asked for by name. */
export interface ProcessKind extends NamedKind {
  /** One sentence for a person who chooses. */
  readonly summary: string
  create(values: ParameterValues): ChangeProcess
}
