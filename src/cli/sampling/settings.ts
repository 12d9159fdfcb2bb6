import type { Told } from '../../estimate/rate/sampling-plan.js'
import { OptionError, type Seconds } from '../../model/index.js'
import { parseDuration } from '../text/parse-duration.js'
import { parseLevel, parseRelativeError } from '../text/parse-share.js'

/** The options as a person gave them. */
export interface SamplingFlags {
  readonly period?: string
  readonly error?: string
  readonly every?: string
  readonly for?: string
  readonly lastModified?: boolean
  readonly level?: string
  readonly json?: boolean
}

/** The options, checked. */
export interface SamplingSettings {
  readonly changePeriod: Seconds
  /** Undefined: the error is what is asked for. */
  readonly error: number | undefined
  readonly gap: Seconds | undefined
  readonly duration: Seconds | undefined
  readonly told: Told
  /** Undefined: the error is one standard deviation. */
  readonly level: number | undefined
  readonly json: boolean
}

export function samplingSettings(flags: SamplingFlags): SamplingSettings {
  if (flags.period === undefined)
    throw new OptionError('no-period', 'say how often the page may change, as in --period 10d')
  if (flags.error === undefined && flags.for === undefined)
    throw new OptionError(
      'no-error',
      'say how well you want to know it (--error 20%) or how long you can sample (--for 60d)',
    )
  const duration = (text: string | undefined, option: string) =>
    text === undefined ? undefined : parseDuration(text, option)
  return {
    changePeriod: parseDuration(flags.period, '--period'),
    error: flags.error === undefined ? undefined : parseRelativeError(flags.error, '--error'),
    gap: duration(flags.every, '--every'),
    duration: duration(flags.for, '--for'),
    told: flags.lastModified === true ? 'content-ages' : 'changes',
    level: flags.level === undefined ? undefined : parseLevel(flags.level, '--level'),
    json: flags.json === true,
  }
}
