import type { CopyMeter, DemoWeb, PageTruth, RoundRobin } from '../../demo/index.js'
import type { SavedVisit } from '../../engine/index.js'
import { DAY, succeeded, type UnixSeconds } from '../../model/index.js'
import { Scores } from '../../simulate/index.js'

/** Pages that answer everybody, sooner or later: what the others would show, no schedule can. */
export function canBeSeen({ access }: PageTruth): boolean {
  return access !== 'forbidden' && access !== 'disallowed'
}

/** How fresh copies were in one day: ours, and those of as many requests in turn. */
export interface DayShare {
  readonly from: UnixSeconds
  readonly revisit: number
  readonly fixed: number
}

/** Days that are remembered one by one. */
const mostDays = 120

/**
 * How fresh the copies really are, and how fresh they would be had the same
 * number of requests gone round all pages in turn. That schedule is spared
 * failures, redirects and the pages that nobody may see.
 */
export class FreshnessMeter {
  readonly #web: DemoWeb
  readonly #meters: ReadonlyMap<string, CopyMeter>
  readonly #fixed: RoundRobin
  readonly #days: DayShare[] = []
  /** Where the day under way began, and the scores then. */
  #since: { at: UnixSeconds; revisit: Scores; fixed: Scores }

  constructor(web: DemoWeb) {
    const urls = web
      .truth()
      .filter(canBeSeen)
      .map(({ url }) => url)
    this.#web = web
    this.#meters = new Map(urls.map((url) => [url, web.meter(url)]))
    this.#fixed = web.roundRobin(urls)
    this.#since = { at: web.origin, revisit: new Scores(), fixed: new Scores() }
  }

  /** A visit that was recorded at a moment, not before the one that precedes it; now by default. */
  add({ visit, lease }: SavedVisit, at: UnixSeconds = this.#web.clock.now()): void {
    this.#closeDays(at)
    if (visit.fault !== 'robots') this.#fixed.request({ at })
    if (succeeded(visit.outcome))
      this.#meters.get(lease.page.url)?.visit({ at: visit.at, notModified: visit.status === 304 })
  }

  scores(): { readonly revisit: Scores; readonly fixed: Scores } {
    return this.#scores(this.#web.clock.now())
  }

  /** Day by day, the last ones of a long run; days without a copy are left out. */
  days(): readonly DayShare[] {
    this.#closeDays(this.#web.clock.now())
    return this.#days
  }

  #scores(until: UnixSeconds): { readonly revisit: Scores; readonly fixed: Scores } {
    const revisit = new Scores()
    for (const meter of this.#meters.values()) revisit.add(meter.scores({ until }))
    return { revisit, fixed: this.#fixed.scores({ until }) }
  }

  #closeDays(now: UnixSeconds): void {
    for (let end = this.#since.at + DAY; end <= now; end += DAY) {
      const before = this.#since
      this.#since = { at: end, ...this.#scores(end) }
      const revisit = shareSince(this.#since.revisit, before.revisit)
      const fixed = shareSince(this.#since.fixed, before.fixed)
      if (revisit !== null && fixed !== null) this.#days.push({ from: before.at, revisit, fixed })
      if (this.#days.length > mostDays) this.#days.shift()
    }
  }

  /** Share of the copies that equal their pages now; 0 before there is any. */
  freshNow(): number {
    const copies = [...this.#meters.values()].flatMap((meter) => meter.freshNow() ?? [])
    return copies.length === 0 ? 0 : copies.filter(Boolean).length / copies.length
  }
}

/** Freshness of the time since earlier scores; null where none has passed. */
function shareSince(all: Scores, before: Scores): number | null {
  const time = all.time - before.time
  return time > 0 ? Math.min(1, Math.max(0, (all.freshTime - before.freshTime) / time)) : null
}
