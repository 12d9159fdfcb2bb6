import { OptionError, type Seconds, type UnixSeconds } from '../../model/index.js'

/** One page of a schedule: its first visit, and when the schedule ends for it. */
export interface ScheduledPage {
  readonly from: UnixSeconds
  readonly until: UnixSeconds
}

/**
 * The one gap at which all pages are visited from their first visits on, such
 * that about as many requests are used in all as given; Infinity where they
 * only pay for the first visits.
 */
export function fixedGap(
  pages: readonly ScheduledPage[],
  { requests }: { readonly requests: number },
): Seconds {
  if (!(requests >= pages.length && requests < Infinity))
    throw new OptionError(
      'bad-budget',
      `${requests} requests do not pay for the first visits of ${pages.length} pages; give more requests or fewer pages`,
    )
  const time = pages.reduce((sum, { from, until }) => sum + Math.max(0, until - from), 0)
  const paid = requests - pages.length
  return paid > 0 && time > 0 ? time / paid : Infinity
}

/** The visits of one page at equal gaps. */
export function* visitsAtGap({ from, until }: ScheduledPage, gap: Seconds): Generator<UnixSeconds> {
  for (let i = 0; i === 0 || from + i * gap <= until; i++) yield i === 0 ? from : from + i * gap
}
