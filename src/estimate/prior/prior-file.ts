import { InputError } from '../../model/index.js'
import type { GridPrior } from './grid-prior.js'

/** How a prior came about; `how` is for people, such as `learned by EM`. */
export interface PriorOrigin {
  readonly how: string
  /** Pages that it was made from; 0 for one made up. */
  readonly pages: number
}

/** A prior as plain JSON. Periods in seconds. */
export interface PriorFile extends PriorOrigin {
  readonly format: 'revisit-prior'
  readonly version: 1
  readonly periods: readonly number[]
  readonly masses: readonly number[]
}

/** The prior in a form that `JSON.stringify` keeps to the last bit. */
export function priorFile(prior: GridPrior, { how, pages }: PriorOrigin): PriorFile {
  const [periods, masses] = [Array.from(prior.periods), Array.from(prior.masses)]
  return { format: 'revisit-prior', version: 1, how, pages, periods, masses }
}

/**
 * Reads a prior back from JSON text, refusing with the reason whatever is not
 * one: a file cut short, another format or version, periods that do not ascend,
 * masses that do not sum to 1.
 */
export function parsePrior(text: string): { prior: GridPrior; origin: PriorOrigin } {
  const file = record(json(text))
  if (file.format !== 'revisit-prior') throw bad('it has no "format": "revisit-prior"')
  if (file.version !== 1)
    throw bad(`this Revisit reads version 1 of the format, not ${JSON.stringify(file.version)}`)
  const periods = numbers(file, 'periods')
  const masses = numbers(file, 'masses')
  if (periods.length === 0 || periods.length !== masses.length)
    throw bad(
      `it has ${periods.length} periods and ${masses.length} masses; as many, and one at least, are needed`,
    )
  checkPeriods(periods)
  checkMasses(masses)
  return { prior: { periods, masses }, origin: originOf(file) }
}

function originOf({ how, pages }: Record<string, unknown>): PriorOrigin {
  if (typeof how !== 'string') throw bad('"how" must say in words how it was made')
  if (typeof pages !== 'number' || !(Number.isInteger(pages) && pages >= 0))
    throw bad('"pages" must be the number of pages it was made from')
  return { how, pages }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw bad(`it is not JSON (${(cause as Error).message}); perhaps it was cut short`, { cause })
  }
}

function record(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw bad('it is JSON, but not an object')
}

function numbers(file: Record<string, unknown>, name: string): Float64Array {
  const list = file[name]
  if (!Array.isArray(list)) throw bad(`"${name}" is not a list`)
  const wrong = list.findIndex((each) => typeof each !== 'number' || !Number.isFinite(each))
  if (wrong >= 0) throw bad(`"${name}"[${wrong}] is ${JSON.stringify(list[wrong])}, not a number`)
  return Float64Array.from(list as number[])
}

function checkPeriods(periods: Float64Array): void {
  periods.forEach((period, i) => {
    if (!(period > (i === 0 ? 0 : periods[i - 1]!)))
      throw bad(`"periods"[${i}] is ${period}; periods are positive and ascend`)
  })
}

function checkMasses(masses: Float64Array): void {
  let total = 0
  masses.forEach((mass, i) => {
    if (mass < 0) throw bad(`"masses"[${i}] is ${mass}; masses are zero or more`)
    total += mass
  })
  if (!(Math.abs(total - 1) <= 1e-6)) throw bad(`its masses sum to ${total}, not to 1`)
}

function bad(reason: string, options: ErrorOptions = {}): InputError {
  return new InputError(
    'bad-prior-file',
    `this is no prior that can be used: ${reason}. Write it anew with the command that made it.`,
    options,
  )
}
