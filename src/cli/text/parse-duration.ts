import { OptionError, readDuration, type Seconds } from '../../model/index.js'

/** A positive duration as people write it, with its unit: `10d`, `36h`, `5min`, `1.5 weeks`, `200ms`. */
export function parseDuration(text: string, option: string): Seconds {
  const seconds = durationOf(text)
  if (seconds !== undefined) return seconds
  throw new OptionError(
    'bad-duration',
    `${option} takes a duration such as 10d, 36h, 2w or 5min; got "${text}"`,
  )
}

/** The same, undefined where it is none. */
export function durationOf(text: string): Seconds | undefined {
  const seconds = readDuration(text) ?? Number.NaN
  return seconds > 0 && seconds < Infinity ? seconds : undefined
}
