import { OptionError } from './errors.js'
import { DAY, HOUR, MINUTE, MONTH, type Seconds, WEEK, YEAR } from './units.js'

const units: Readonly<Record<string, Seconds>> = {
  ms: 1e-3,
  s: 1,
  min: MINUTE,
  h: HOUR,
  d: DAY,
  w: WEEK,
  mo: MONTH,
  y: YEAR,
}

/** Reads a duration as people write it: `5min`, `2h`, `1.5d`, `2w`; a bare number is seconds. */
export function parseDuration(text: string): Seconds {
  const match = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)\s*$/i.exec(text)
  const unit = match?.[2] || 's'
  if (match !== null && Object.hasOwn(units, unit)) return Number(match[1]) * units[unit]!
  throw new OptionError(
    'bad-duration',
    `"${text}" is not a duration; write a number and a unit (${Object.keys(units).join(', ')}), such as 5min or 3d`,
  )
}
