/** What went wrong, and what the web server and the workers saw. Throws at the first broken promise. */
export function chaos(options: {
  readonly minutes: number
  readonly seed?: number
  readonly print?: (line: string) => void
  readonly hosts?: number
  /** Seconds between two requests to a host. */
  readonly delay?: number
  /** Seconds. */
  readonly leaseTime?: number
  /** Milliseconds between two mishaps: from, to. */
  readonly every?: readonly [number, number]
}): Promise<{
  readonly kills: number
  readonly freezes: number
  readonly cuts: number
  readonly restarts: number
  /** Visits of which a worker knows that they are recorded. */
  readonly acknowledged: number
  readonly requests: number
  /** Seconds between two requests to one host. */
  readonly shortest: number
}>
