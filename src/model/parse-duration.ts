import { OptionError } from './errors.js'
import { DAY, HOUR, MINUTE, MONTH, type Seconds, WEEK, YEAR } from './units.js'

const units: ReadonlyArray<[RegExp, Seconds]> = [
  [/^(ms(ec)?|milliseconds?)$/, 1e-3],
  [/^s(ec(onds?)?)?$/, 1],
  [/^m(in(utes?)?)?$/, MINUTE],
  [/^h(ours?|rs?)?$/, HOUR],
  [/^d(ays?)?$/, DAY],
  [/^w(eeks?)?$/, WEEK],
  [/^mo(n(ths?)?)?$/, MONTH],
  [/^y(ears?|rs?)?$/, YEAR],
]

/** A duration as people write it: `5min`, `36h`, `1.5 weeks`, `200ms`; undefined where it is none, or has no unit. */
export function readDuration(text: string): Seconds | undefined {
  const found = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]+)\s*$/i.exec(text)
  const unit = found?.[2]?.toLowerCase() ?? ''
  const size = units.find(([pattern]) => pattern.test(unit))?.[1]
  return size === undefined ? undefined : Number(found![1]) * size
}

/** The same, or an error; a bare number is seconds. */
export function parseDuration(text: string): Seconds {
  const seconds = readDuration(text) ?? readDuration(`${text}s`)
  if (seconds !== undefined) return seconds
  throw new OptionError(
    'bad-duration',
    `"${text}" is not a duration; write a number and a unit (ms, s, min, h, d, w, mo, y), such as 5min or 3d`,
  )
}
