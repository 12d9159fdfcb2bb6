import { OptionError } from '../../model/errors.js'
import type { Clock, Seconds, UnixSeconds } from '../../model/units.js'
import { Scores } from '../scores.js'
import type { LawKind } from './change-laws.js'
import { CopyMeter, type CopyVisit, checkPast, RoundRobin } from './copy-meter.js'
import type { LivePage, LiveSite } from './live-site.js'
import { type AccessKind, accessKinds } from './site-plans.js'

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

/** What is true of one page, whether anybody looks or not. */
export interface PageTruth {
  readonly url: string
  readonly site: string
  readonly title: string
  readonly law: LawKind
  /** The law in words: `changes at random, every 3.2 days on average`. */
  readonly lawWords: string
  /** Mean time between changes as things stand now. */
  readonly changePeriod: Seconds
  /** Changes since the demo began. */
  readonly changes: number
  readonly lastChange: UnixSeconds
  readonly access: AccessKind
  readonly accessWords: string
  /** What its server tells beside the content, in words. */
  readonly tells: string
  /** Whether the Last-Modified it tells is a lie. */
  readonly lies: boolean
  /** When it goes, or went, away; null if it stays. */
  readonly goneAt: UnixSeconds | null
  /** Requests that reached the server for this address. */
  readonly requests: number
}

/** A page that moved has the changes of the page it sends to: that is what its visitors see. */
function pageTruth({
  site,
  page,
  at,
}: {
  readonly site: LiveSite
  readonly page: LivePage
  readonly at: UnixSeconds
}): PageTruth {
  const seen = site.destinationOf(page)
  const { law, telling } = seen.plan
  return {
    url: site.urlOf(page),
    site: site.plan.name,
    title: page.plan.title,
    law: law.kind,
    lawWords: law.words,
    changePeriod: law.changePeriodAt(at),
    changes: seen.versionAt(at),
    lastChange: seen.lastChangeAt(at),
    access: page.plan.access.kind,
    accessWords: accessKinds[page.plan.access.kind],
    tells: telling.words,
    lies: !['honest', 'missing'].includes(telling.lastModified),
    goneAt: page.goneAt === Infinity ? null : page.goneAt,
    requests: page.requests,
  }
}

/** What really happened, to compare with what a visitor thinks. All of it up to now, none of the future. */
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
