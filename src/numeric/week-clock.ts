const HOUR = 3600
const hoursOfWeek = 168
const WEEK = hoursOfWeek * HOUR

/**
 * A clock that runs fast in the hours in which pages tend to change and slowly
 * in the others, and keeps step with the ordinary one week by week. Changes
 * that crowd into working hours are spread evenly on it.
 */
export interface WeekClock {
  /** Speed by day of the week, Thursday first as in Unix time, and by hour of the day (UTC); means 1. */
  readonly weekdays: Float64Array
  readonly hours: Float64Array
  /** Speed in each hour of the week; mean 1. */
  readonly speeds: Float64Array
  /** Clock seconds from the start of the week to the start of each hour; 169 numbers. */
  readonly passed: Float64Array
}

/** Slower than this no clock runs: no hour is ever certain to be without a change. */
const slowest = 0.02

/** The clock whose speed is the product of the weekday's and the hour's. */
export function weekClock(factors: {
  readonly weekdays: ArrayLike<number>
  readonly hours: ArrayLike<number>
}): WeekClock {
  const weekdays = Float64Array.from(factors.weekdays)
  const hours = Float64Array.from(factors.hours)
  const speeds = new Float64Array(hoursOfWeek)
  let total = 0
  for (let hour = 0; hour < hoursOfWeek; hour++) {
    const speed = weekdays[Math.floor(hour / 24)]! * hours[hour % 24]!
    speeds[hour] = Math.max(slowest, speed)
    total += speeds[hour]!
  }
  const passed = new Float64Array(hoursOfWeek + 1)
  for (let hour = 0; hour < hoursOfWeek; hour++) {
    speeds[hour]! *= hoursOfWeek / total
    passed[hour + 1] = passed[hour]! + speeds[hour]! * HOUR
  }
  return { weekdays, hours, speeds, passed }
}

/** The ordinary clock. */
export const flatClock: WeekClock = weekClock({
  weekdays: new Float64Array(7).fill(1),
  hours: new Float64Array(24).fill(1),
})

/** What the clock shows at a Unix time. */
export function weekTime(clock: WeekClock, at: number): number {
  const week = Math.floor(at / WEEK) * WEEK
  const within = at - week
  const hour = Math.min(hoursOfWeek - 1, Math.floor(within / HOUR))
  return week + clock.passed[hour]! + (within - hour * HOUR) * clock.speeds[hour]!
}

/** Clock seconds in the `gap` seconds that end at `at`; the gap itself where no time is known. */
export function weekGap(clock: WeekClock, { at, gap }: { at: number; gap: number }): number {
  if (clock === flatClock || !Number.isFinite(at)) return gap
  return weekTime(clock, at) - weekTime(clock, at - gap)
}

/** Steps between a clock and the flat one. */
const blends = 4
const blended = new WeakMap<WeekClock, (WeekClock | undefined)[]>()

/** A clock blended with the flat one by a share, to the nearest quarter; made once for each clock. */
export function flatterClock(clock: WeekClock, share: number): WeekClock {
  const step = Math.round(blends * Math.min(1, Math.max(0, share)))
  if (step === 0 || clock === flatClock) return clock
  if (step === blends) return flatClock
  const known = blended.get(clock) ?? []
  blended.set(clock, known)
  known[step] ??= blendedToFlat(clock, step / blends)
  return known[step]
}

function blendedToFlat({ weekdays, hours, speeds }: WeekClock, share: number): WeekClock {
  const even = Float64Array.from(speeds, (speed) => share + (1 - share) * speed)
  const passed = new Float64Array(hoursOfWeek + 1)
  for (let hour = 0; hour < hoursOfWeek; hour++)
    passed[hour + 1] = passed[hour]! + even[hour]! * HOUR
  return { weekdays, hours, speeds: even, passed }
}
