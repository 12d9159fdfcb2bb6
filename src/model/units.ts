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
