/**
 * Times are Unix seconds, durations seconds, rates per second, all plain
 * numbers. These names say which one a signature means; the estimators
 * themselves are unit-free.
 */
export type UnixSeconds = number
export type Seconds = number
export type PerSecond = number

export const MINUTE: Seconds = 60
export const HOUR: Seconds = 60 * MINUTE
export const DAY: Seconds = 24 * HOUR
export const WEEK: Seconds = 7 * DAY
/** The mean Gregorian month and year. */
export const MONTH: Seconds = 2_629_746
export const YEAR: Seconds = 12 * MONTH

/** What survives JSON unchanged. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json }

/** Time as an argument: the real one, a virtual one in tests, a fast one in the demo. */
export interface Clock {
  now(): UnixSeconds
  /** Resolves after a while, or at once when the signal fires. */
  sleep(duration: Seconds, signal?: AbortSignal): Promise<void>
}

/** Where chance comes from: an argument everywhere, so that a seed repeats a run. `numeric` has the real one. */
export interface RandomSource {
  /** Uniform on [0, 1). */
  uniform(): number
  /** Exponential with mean 1. */
  exponential(): number
  /** Standard normal. */
  normal(): number
  /** Gamma with scale 1. */
  gamma(shape: number): number
}

/** Names as figures and tables write them; the week begins on Monday. */
export const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
export const dayNames = 'Mon Tue Wed Thu Fri Sat Sun'.split(' ')

/** A share of 1 as a person reads it: `12%`, with a digit `12.3%`. */
export function percent(share: number, { digits = 0 }: { readonly digits?: number } = {}): string {
  return `${(100 * share).toFixed(digits)}%`
}
