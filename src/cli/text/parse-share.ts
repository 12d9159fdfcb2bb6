import { OptionError } from '../../model/index.js'

/** A share above 0 and below 1, as `0.95` or `95%`. */
export function parseLevel(text: string, option: string): number {
  const value = shareOf(text)
  if (value > 0 && value < 1) return value
  throw new OptionError(
    'bad-level',
    `${option} takes a share above 0 and below 1, such as 0.95; got "${text}"`,
  )
}

/** A positive relative error, as `20%` or `0.2`. */
export function parseRelativeError(text: string, option: string): number {
  const value = shareOf(text)
  if (value > 0 && value < Infinity) return value
  throw new OptionError('bad-error', `${option} takes an error such as 20% or 0.2; got "${text}"`)
}

/** A share or a percentage as a number; NaN where it is none. */
export function shareOf(text: string): number {
  const found = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*(%?)\s*$/.exec(text)
  return found === null ? Number.NaN : Number(found[1]) / (found[2] === '%' ? 100 : 1)
}
