import type { LoggedVisit } from '../../model/index.js'
import type { VisitFeed } from './visit-feed.js'

/**
 * Hands every visit after a number to `take`, in order, one at a time, until
 * the feed closes or the signal fires. `reached` is told the number up to
 * which all have been dealt with: who keeps it goes on there after a restart.
 */
export async function followVisits(
  feed: VisitFeed,
  options: {
    readonly after: number
    readonly take: (visit: LoggedVisit) => Promise<void> | void
    readonly reached?: (number: number) => Promise<void> | void
    readonly signal: AbortSignal
  },
): Promise<void> {
  const { take, reached, signal } = options
  let number = options.after
  while (!signal.aborted && !feed.closed) {
    const { visits, upTo } = await feed.after(number)
    for (const visit of visits) {
      if (signal.aborted) return
      await take(visit)
      await reached?.(visit.number)
    }
    if (upTo > number) await reached?.(upTo)
    number = upTo
    if (visits.length === 0) await feed.grown(number, signal)
  }
}
