/**
 * Every error thrown on purpose is one of these: a `code` to catch, and a
 * message that tells a person what to do next.
 */
export class RevisitError extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.name = new.target.name
  }
}

/** The data are wrong: a malformed line, a time that runs backwards, a file cut short. */
export class InputError extends RevisitError {
  /** The line of the input at fault, counted from 1, where there is one. */
  readonly line: number | undefined

  constructor(
    code: string,
    message: string,
    options: ErrorOptions & { line?: number | undefined } = {},
  ) {
    super(code, options.line === undefined ? message : `line ${options.line}: ${message}`, options)
    this.line = options.line
  }
}

/** The caller asked for something that cannot be: an unknown name, a level of 2. */
export class OptionError extends RevisitError {}

/** The environment stands in the way: a file cannot be read, a package is not installed. */
export class EnvironmentError extends RevisitError {}

/** One page cannot be read; the others can. */
export class PageError extends RevisitError {}

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
