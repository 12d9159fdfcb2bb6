import { OptionError } from '../../model/errors.js'
import { HOUR, MINUTE, type Seconds } from '../../model/units.js'

/** How much we ask of hosts. Budgets are requests a day (UTC); null sets none. */
export interface Politeness {
  /** Between the end of a request and the next to the same host. */
  readonly delay: Seconds
  /** A Crawl-delay is honoured up to this. */
  readonly longestDelay: Seconds
  readonly requestsPerDay: number | null
  readonly hostRequestsPerDay: number | null
  /** Wait after a first failure; it doubles with each further one. */
  readonly firstBackoff: Seconds
  readonly longestBackoff: Seconds
}

export const defaultPoliteness: Politeness = {
  delay: 5,
  longestDelay: 5 * MINUTE,
  requestsPerDay: null,
  hostRequestsPerDay: null,
  firstBackoff: MINUTE,
  longestBackoff: 6 * HOUR,
}

/** The default politeness with some of it changed; refuses numbers that are none. */
export function politeness(changed: Partial<Politeness> = {}): Politeness {
  for (const [name, value] of Object.entries(changed))
    if (value !== null && !(value >= 0 && Number.isFinite(value)))
      throw new OptionError('bad-politeness', `${name} is ${value}; give a number from 0 on`)
  return { ...defaultPoliteness, ...changed }
}

/** The wait after so many failures in a row; none after none. */
export function backoff(
  failures: number,
  { firstBackoff, longestBackoff }: Pick<Politeness, 'firstBackoff' | 'longestBackoff'>,
): Seconds {
  if (failures <= 0) return 0
  return Math.min(firstBackoff * 2 ** Math.min(failures - 1, 60), longestBackoff)
}
