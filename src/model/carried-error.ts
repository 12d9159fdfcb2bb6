import { EnvironmentError, InputError, OptionError, PageError, RevisitError } from './errors.js'

/** An error of ours in a form that survives the way between threads, where classes do not. */
export interface CarriedError {
  readonly name: string
  readonly code: string
  readonly message: string
}

const classes = { InputError, OptionError, EnvironmentError, PageError }

/** Undefined for an error that is not ours: let that one fly. */
export function carry(error: unknown): CarriedError | undefined {
  if (!(error instanceof RevisitError)) return undefined
  return { name: error.name, code: error.code, message: error.message }
}

export function revive({ name, code, message }: CarriedError): RevisitError {
  const Class = Object.hasOwn(classes, name) ? classes[name as keyof typeof classes] : RevisitError
  return new Class(code, message)
}
