import { OptionError, type Seconds } from '../model/index.js'

/** A duration that a policy was given, or an error that names it. */
export function positive(name: string, value: Seconds): Seconds {
  if (value > 0 && value < Infinity) return value
  throw new OptionError('bad-duration', `${name} must be a positive duration; got ${value}`)
}

/** A plain factor that a policy was given, or an error that names it. */
export function factorOf(name: string, value: number): number {
  if (value > 0 && value < Infinity) return value
  throw new OptionError('bad-factor', `${name} must be a positive number; got ${value}`)
}

/** A count at which a policy stops, or Infinity for never; or an error that names it. */
export function limitOf(name: string, value: number): number {
  if (value >= 1) return value
  throw new OptionError(
    'bad-limit',
    `${name} must be a positive number, or none for no limit; got ${value}`,
  )
}
