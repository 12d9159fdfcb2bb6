import { OptionError } from '../../model/errors.js'
import type { Clock, Seconds, UnixSeconds } from '../../model/units.js'
import type { Scores } from '../scores.js'
import type { LawKind } from './change-laws.js'
import { CopyMeter, type CopyVisit, checkPast, RoundRobin } from './copy-meter.js'
import type { LivePage, LiveSite } from './live-site.js'
import { type AccessKind, accessKinds } from './site-plans.js'

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

  #page(url: string): LivePage {
    const page = this.#seen.get(url)
    if (page !== undefined) return page
    throw new OptionError(
      'unknown-page',
      `the demo has no page ${url}; its pages are those of truth()`,
    )
  }
}
