import type { DemoWeb } from '../../../src/lab/demo-web/demo-web.js'
import { Scores } from '../../../src/lab/scores.js'
import { OptionError } from '../../../src/model/errors.js'
import type { Seconds, UnixSeconds } from '../../../src/model/units.js'

/** One page of a schedule: its first visit, and when the schedule ends for it. */
interface ScheduledPage {
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

/**
 * How fresh a fixed schedule with about as many requests keeps pages that stay:
 * every page is visited first when it was, then at one gap for all. What
 * `roundRobin` comes to request by request, by other code.
 */
export function fixedScheduleFreshness(
  web: DemoWeb,
  {
    pages,
    requests,
  }: {
    readonly pages: ReadonlyArray<{ readonly url: string; readonly from: UnixSeconds }>
    /** Of the visitor to compare with, its first visits among them. */
    readonly requests: number
  },
): Scores {
  const until = web.clock.now()
  const scheduled = pages.map(({ url, from }) => ({ url, from, until }))
  const gap = fixedGap(scheduled, { requests })
  const scores = new Scores()
  for (const page of scheduled) {
    const visits = Array.from(visitsAtGap(page, gap), (at) => ({ at }))
    scores.add(web.freshnessOf(page.url, visits, { until }))
  }
  return scores
}
