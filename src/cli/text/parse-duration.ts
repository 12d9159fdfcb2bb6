import {
  DAY,
  HOUR,
  MINUTE,
  MONTH,
  OptionError,
  type Seconds,
  WEEK,
  YEAR,
} from '../../model/index.js'

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

/** A positive duration as people write it: `10d`, `36h`, `5min`, `1.5 weeks`, `200ms`. */
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
  const found = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*([a-z]+)\s*$/i.exec(text)
  const size = units.find(([pattern]) => pattern.test(found?.[2]?.toLowerCase() ?? ''))?.[1]
  const seconds = size === undefined ? Number.NaN : Number(found![1]) * size
  return seconds > 0 && seconds < Infinity ? seconds : undefined
}
