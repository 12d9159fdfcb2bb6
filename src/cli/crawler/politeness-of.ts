import type { Politeness } from '../../crawl/index.js'
import type { Configuration } from '../config/settings.js'

/** How hosts are to be treated, by the configuration. */
export function politenessOf(config: Configuration): Politeness {
  const { delay, longestDelay, firstBackoff, longestBackoff } = config
  const { requestsPerDay, hostRequestsPerDay } = config
  return {
    delay,
    longestDelay,
    firstBackoff,
    longestBackoff,
    requestsPerDay,
    hostRequestsPerDay,
  }
}
