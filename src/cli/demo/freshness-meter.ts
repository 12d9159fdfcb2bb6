import type { CopyMeter, DemoWeb, PageTruth, RoundRobin } from '../../demo/index.js'
import type { SavedVisit } from '../../engine/index.js'
import { succeeded } from '../../model/index.js'
import { Scores } from '../../simulate/index.js'

/** Pages that answer everybody, sooner or later: what the others would show, no schedule can. */
export function canBeSeen({ access }: PageTruth): boolean {
  return access !== 'forbidden' && access !== 'disallowed'
}

/**
 * How fresh the copies really are, and how fresh they would be had the same
 * number of requests gone round all pages in turn. That schedule is spared
 * failures, redirects and the pages that nobody may see.
 */
export class FreshnessMeter {
  readonly #web: DemoWeb
  readonly #meters: ReadonlyMap<string, CopyMeter>
  readonly #fixed: RoundRobin

  constructor(web: DemoWeb) {
    const urls = web
      .truth()
      .filter(canBeSeen)
      .map(({ url }) => url)
    this.#web = web
    this.#meters = new Map(urls.map((url) => [url, web.meter(url)]))
    this.#fixed = web.roundRobin(urls)
  }

  add({ visit, lease }: SavedVisit): void {
    if (visit.fault !== 'robots') this.#fixed.request({ at: this.#web.clock.now() })
    if (succeeded(visit.outcome))
      this.#meters.get(lease.page.url)?.visit({ at: visit.at, notModified: visit.status === 304 })
  }

  scores(): { readonly revisit: Scores; readonly fixed: Scores } {
    const until = this.#web.clock.now()
    const revisit = new Scores()
    for (const meter of this.#meters.values()) revisit.add(meter.scores({ until }))
    return { revisit, fixed: this.#fixed.scores({ until }) }
  }

  /** Share of the copies that equal their pages now; 0 before there is any. */
  freshNow(): number {
    const copies = [...this.#meters.values()].flatMap((meter) => meter.freshNow() ?? [])
    return copies.length === 0 ? 0 : copies.filter(Boolean).length / copies.length
  }
}
