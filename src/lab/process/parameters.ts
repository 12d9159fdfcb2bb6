import { OptionError } from '../../model/errors.js'
import type { NamedKind } from '../../model/named-spec.js'
import type { Seconds } from '../../model/units.js'
import type { ChangeProcess } from './change-process.js'

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

/** The shortest period that Unix times in doubles (steps of 0.24 microseconds) can carry. */
const shortest: Seconds = 1e-3

/** Refuses a parameter that cannot be, saying which and why. */
export function checkParameter({
  process,
  name,
  value,
  possible,
  why,
}: {
  readonly process: string
  readonly name: string
  readonly value: number
  readonly possible: boolean
  readonly why: string
}): void {
  if (possible && !Number.isNaN(value)) return
  throw new OptionError('bad-parameter', `${process}: ${name} is ${value}, but ${why}`)
}

/** Refuses a period that is no finite time of a millisecond or more. */
export function checkPeriod(options: {
  readonly process: string
  readonly name: string
  readonly value: Seconds
}): void {
  const { value } = options
  checkParameter({
    ...options,
    possible: value >= shortest && value < Infinity,
    why:
      value > 0 && value < shortest
        ? 'times are kept to the microsecond, so it must be at least 0.001 seconds'
        : 'it must be a finite time above 0 (in seconds)',
  })
}

/** Refuses masses of which one is negative or infinite, or all are 0; gives them summing to 1. */
export function checkMasses({
  process,
  name,
  values,
}: {
  readonly process: string
  readonly name: string
  readonly values: ArrayLike<number>
}): Float64Array {
  let total = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    checkParameter({
      process,
      name: `${name}[${i}]`,
      value,
      possible: value >= 0 && value < Infinity,
      why: 'a mass must be a finite number, 0 or more',
    })
    total += value
  }
  checkParameter({
    process,
    name: `the sum of ${name}`,
    value: total,
    possible: total > 0 && total < Infinity,
    why: 'at least one mass must be above 0',
  })
  return Float64Array.from(values, (value) => value / total)
}
