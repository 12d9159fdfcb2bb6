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
  [/^s(ec(onds?)?)?$/, 1],
  [/^m(in(utes?)?)?$/, MINUTE],
  [/^h(ours?|rs?)?$/, HOUR],
  [/^d(ays?)?$/, DAY],
  [/^w(eeks?)?$/, WEEK],
  [/^mo(n(ths?)?)?$/, MONTH],
  [/^y(ears?|rs?)?$/, YEAR],
]

/** A positive duration as people write it: `10d`, `36h`, `5min`, `1.5 weeks`. */
export function parseDuration(text: string, option: string): Seconds {
  const found = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*([a-z]+)\s*$/i.exec(text)
  const size = units.find(([pattern]) => pattern.test(found?.[2]?.toLowerCase() ?? ''))?.[1]
  const seconds = size === undefined ? Number.NaN : Number(found![1]) * size
  if (seconds > 0 && seconds < Infinity) return seconds
  throw new OptionError(
    'bad-duration',
    `${option} takes a duration such as 10d, 36h, 2w or 5min; got "${text}"`,
  )
}
