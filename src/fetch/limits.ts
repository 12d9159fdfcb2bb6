import { OptionError } from '../model/errors.js'
import { DAY, type Seconds } from '../model/units.js'

/** How much a server may ask of us in one visit. */
export interface FetchLimits {
  readonly connectTime: Seconds
  /** From the request to the end of the headers, connecting included. */
  readonly firstByteTime: Seconds
  /** The whole visit, redirects included, but not the wait for permits to follow them. */
  readonly wholeTime: Seconds
  /** Bytes a second of content, over ten seconds; 0 for any. */
  readonly leastSpeed: number
  readonly headerBytes: number
  /** Of content, before and after unpacking. */
  readonly bodyBytes: number
  readonly redirects: number
  /** The longest Retry-After that is honoured. */
  readonly retryAfter: Seconds
}

export const defaultLimits: FetchLimits = {
  connectTime: 10,
  firstByteTime: 20,
  wholeTime: 60,
  leastSpeed: 1000,
  headerBytes: 64 * 1024,
  bodyBytes: 10 * 1024 * 1024,
  redirects: 10,
  retryAfter: DAY,
}

/** The default limits with some of them changed; refuses what is no limit. */
export function fetchLimits(changed: Partial<FetchLimits> = {}): FetchLimits {
  for (const [name, value] of Object.entries(changed))
    if (!(value >= 0) || !Number.isFinite(value))
      throw new OptionError('bad-limit', `the limit ${name} is ${value}; give a number from 0 on`)
  return { ...defaultLimits, ...changed }
}
