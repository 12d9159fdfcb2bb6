/** Requests made on one day: a plain record, so that a budget survives a restart. */
export interface DayCount {
  /** Days since 1970, UTC. */
  readonly day: number
  readonly requests: number
}
