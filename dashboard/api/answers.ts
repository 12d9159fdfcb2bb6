import type { Bounds, ShownEstimate } from '../../src/model/estimate.js'
import type { Claim } from '../../src/model/hint.js'
import type { Outcome } from '../../src/model/history.js'
import type { LastVisit, PageSettings, Validators } from '../../src/model/page.js'
import type { Due } from '../../src/model/policy.js'
import type { StoreHealth } from '../../src/model/store.js'
import type { Json, Seconds, UnixSeconds } from '../../src/model/units.js'
import type { VisitRecord } from '../../src/model/visit-record.js'

/** What the API answers, as far as the dashboard looks at it. */
export interface PageAnswer {
  readonly id: string
  readonly url: string
  readonly host: string
  readonly group?: string
  readonly importance: number
  readonly addedAt: UnixSeconds
  readonly settings: PageSettings
  readonly due: Due
  readonly validators: Validators
  readonly hints: Json
  /** Places of the page that are left out of its comparison; absent from older services. */
  readonly noise?: Json
  readonly movedTo: string | null
  readonly lastVisit: LastVisit | null
  readonly lastSeen: UnixSeconds | null
  readonly lastChange: UnixSeconds | null
  readonly visits: number
  readonly changes: number
  readonly failing: number
  readonly gone: number
  /** What its learner has learned, or the estimate from its visits where it knows nothing; null before there is any. */
  readonly changePeriod: Seconds | null
}

export interface PageListAnswer {
  readonly pages: readonly PageAnswer[]
  readonly next: string | null
  readonly total?: number
}

export interface AddedAnswer {
  readonly added: number
  readonly already: number
  readonly refused: readonly { url: string; code: string; message: string }[]
  /** When new pages are visited first and again, and why; null where there are none. */
  readonly next: { readonly text: string } | null
  /** Said where limits of their own ask for more than the budget. */
  readonly warning: string | null
}

export interface WhyAnswer {
  readonly due: Due
  readonly policy: { readonly name: string; readonly summary: string }
  readonly learner: { readonly name: string; readonly summary: string } | null
  readonly changePeriod: Seconds | null
  readonly hostRestsUntil: UnixSeconds | null
  readonly hours: string | null
  /** How often it changes, by the default: the one estimate that is shown of a page. */
  readonly estimate: ShownEstimate
  /** What the default's posterior of the page, and what a request costs. */
  readonly posterior: {
    readonly law: string
    readonly changedByNow: number
    readonly bounds: Bounds
  } | null
  readonly price: Seconds | null
}

/** What a publisher says of a page, and how far it was right. */
export interface HintsAnswer {
  readonly reported: readonly {
    readonly kind: string
    readonly claim: Claim
    readonly reportedAt: UnixSeconds
    readonly source: string | null
    readonly reliability: number
    readonly trusted: boolean
    readonly predicted: number
    readonly right: number
    readonly onHost: { readonly predicted: number; readonly right: number }
  }[]
}

export interface LoggedVisit extends VisitRecord {
  readonly number: number
  readonly page: { readonly id: string; readonly url: string; readonly group?: string }
}

/** What the dashboard asks for every few seconds. */
export interface OverviewAnswer {
  readonly now: UnixSeconds
  /** Seconds of the service's clock in a real one: 1, or more in the demo. */
  readonly speed: number
  readonly version: string
  readonly collection: string
  readonly demo: boolean
  readonly health: StoreHealth
  readonly loop: { readonly running: boolean; readonly underWay: number } | null
  readonly forecast: ForecastAnswer | null
  /** What may be spent, and the freshness that the default predicted at its last scan. */
  readonly budget: {
    readonly requestsPerDay: number | null
    readonly predicted: number | null
  } | null
  readonly activity: ActivityAnswer
}

/** What is believed of the whole collection, from what is known of each page. */
export interface ForecastAnswer {
  readonly at: UnixSeconds
  /** Predicted share of the copies that are fresh, and its standard error; null while nothing is known. */
  readonly freshness: number | null
  readonly freshnessError: number | null
  /** Share of copies that should equal their pages by what is known of each, mean of about a day. */
  readonly predicted: number | null
  /** Pages whose change period is believed known, and those it is not known of yet. */
  readonly pagesKnown: number
  readonly pagesUnknown: number
  readonly requestsPerDay: number
  /** What a fixed schedule, the same gap for all, would need for the same freshness. */
  readonly fixedRequestsPerDay: number | null
  /** What it would keep fresh with as many visits as the last 24 hours had. */
  readonly fixedFreshness: number | null
}

/** Visits by hour, the oldest first. */
export interface ActivityAnswer {
  readonly from: UnixSeconds
  readonly bucket: Seconds
  readonly visits: readonly number[]
  readonly changes: readonly number[]
  readonly failures: readonly number[]
}

export interface HostAnswer {
  readonly host: string
  readonly pages: number
  readonly firstDue: UnixSeconds | null
  readonly blockedUntil: UnixSeconds | null
  readonly lastVisit: UnixSeconds | null
}

export interface VersionAnswer {
  readonly at: UnixSeconds
  readonly digest: string
  readonly bytes: number
  readonly mediaType: string | null
  readonly headers?: Readonly<Record<string, string>> | null
}

export interface DiffLineAnswer {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
  readonly words: readonly { readonly text: string; readonly changed: boolean }[]
}

export interface DiffAnswer {
  /** Of the whole page, or of what is compared. */
  readonly whole: boolean
  readonly lines: readonly DiffLineAnswer[]
}

export type SparkAnswer = Readonly<Record<string, readonly (readonly [UnixSeconds, Outcome])[]>>
