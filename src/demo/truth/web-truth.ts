import { type Clock, OptionError, type UnixSeconds } from '../../model/index.js'
import { Scores } from '../../simulate/index.js'
import type { LivePage } from '../site/live-page.js'
import type { LiveSite } from '../site/live-site.js'
import { CopyMeter, type CopyVisit } from './copy-meter.js'
import { fixedGap, visitsAtGap } from './fixed-schedule.js'
import { type PageTruth, pageTruth } from './page-truth.js'
import { checkPast } from './past.js'
import { RoundRobin } from './round-robin.js'

/** What really happened, to compare with what a visitor thinks. All of it up to now: the future is not told. */
export class WebTruth {
  readonly #sites: readonly LiveSite[]
  readonly #clock: Clock
  readonly #seen: ReadonlyMap<string, LivePage>

  /** The sites must know their addresses. */
  constructor({ sites, clock }: { readonly sites: readonly LiveSite[]; readonly clock: Clock }) {
    this.#sites = sites
    this.#clock = clock
    this.#seen = new Map(
      sites.flatMap((site) =>
        site.pages.map((page) => [site.urlOf(page), site.destinationOf(page)] as const),
      ),
    )
  }

  /** What is true of every page now, site by site. */
  truth(): PageTruth[] {
    const at = this.#clock.now()
    return this.#sites.flatMap((site) => site.pages.map((page) => pageTruth({ site, page, at })))
  }

  /** The change times after `from`, up to and with `to`. */
  changesBetween(
    url: string,
    { from, to }: { readonly from: UnixSeconds; readonly to: UnixSeconds },
  ): number[] {
    checkPast(this.#clock, to)
    const page = this.#page(url)
    return page.log.between({ from, to: page.living(to) })
  }

  /** Adds up the freshness of a copy while it is being kept; for long runs. */
  meter(url: string): CopyMeter {
    return new CopyMeter({ page: this.#page(url), clock: this.#clock })
  }

  /** A fixed schedule to compare with while the run lasts. */
  roundRobin(urls: readonly string[]): RoundRobin {
    return new RoundRobin(urls.map((url) => this.meter(url)))
  }

  /** How fresh a copy was that was made by these visits, in order of time. */
  freshnessOf(
    url: string,
    visits: Iterable<CopyVisit>,
    { until = this.#clock.now() }: { readonly until?: UnixSeconds } = {},
  ): Scores {
    checkPast(this.#clock, until)
    const meter = this.meter(url)
    for (const visit of visits) meter.visit(visit)
    return meter.scores({ until })
  }

  /**
   * The same for a fixed schedule with about as many requests: every page is
   * visited first when it was, then at one gap for all. Nothing is requested,
   * and every visit succeeds. O(changes of the run), and they must all be
   * remembered: a long run is compared with `roundRobin`.
   */
  fixedScheduleFreshness({
    pages,
    requests,
    until = this.#clock.now(),
  }: {
    readonly pages: ReadonlyArray<{ readonly url: string; readonly from: UnixSeconds }>
    /** Of the visitor to compare with, its first visits among them. */
    readonly requests: number
    readonly until?: UnixSeconds
  }): Scores {
    checkPast(this.#clock, until)
    const scheduled = pages.map(({ url, from }) => {
      checkPast(this.#clock, from)
      return { url, from, until: this.#page(url).living(until) }
    })
    const gap = fixedGap(scheduled, { requests })
    const scores = new Scores()
    for (const page of scheduled) {
      const meter = this.meter(page.url)
      for (const at of visitsAtGap(page, gap)) meter.visit({ at })
      scores.add(meter.scores({ until }))
    }
    return scores
  }

  #page(url: string): LivePage {
    const page = this.#seen.get(url)
    if (page !== undefined) return page
    throw new OptionError(
      'unknown-page',
      `the demo has no page ${url}; its pages are those of truth()`,
    )
  }
}
