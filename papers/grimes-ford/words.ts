import { DAY, HOUR, type Seconds } from 'revisit/model'

/** The paper's unit. */
export function hours(duration: Seconds): string {
  const value = duration / HOUR
  return value >= 10 ? value.toFixed(0) : value.toFixed(1)
}

export function days(duration: Seconds): string {
  return `${Number((duration / DAY).toFixed(2))} days`
}
