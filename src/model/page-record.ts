import type { Validators } from './fetcher.js'
import type { Json } from './json.js'
import type { Page } from './page.js'
import type { Due } from './policy.js'
import type { UnixSeconds } from './units.js'
import type { Outcome } from './visit.js'

/** What a person chose for one page; names beyond these are kept and left alone. */
export interface PageSettings {
  readonly headers?: Readonly<Record<string, string>>
  /** Whether a browser is to draw the page, because scripts make it. */
  readonly browser?: boolean
  /** Name of the policy; the collection's where left out. */
  readonly policy?: string
  /** `list` for a sitemap or a feed that is followed for what it says of other pages. */
  readonly role?: string
  /** Whether it was found by itself and not asked for by a person. */
  readonly found?: boolean
  readonly [name: string]: Json | undefined
}

/** An estimator's compact state: its numbers to the bit, and whose they are. */
export interface LearnerState {
  readonly learner: string
  readonly numbers: Float64Array
}

/** How the last attempt ended. */
export interface LastVisit {
  readonly at: UnixSeconds
  readonly outcome: Outcome
  readonly status: number | null
}

/** All that a store keeps of a page, but for its visits and contents. */
export interface PageRecord extends Page {
  readonly collection: string
  readonly host: string
  readonly addedAt: UnixSeconds
  readonly importance: number
  readonly settings: PageSettings
  readonly due: Due
  readonly state: LearnerState | null
  readonly validators: Validators
  /** Digest of the content last seen, to compare the next with. */
  readonly fingerprint: string | null
  /** What the publisher told of its changes; the store only keeps it. */
  readonly hints: Json
  /** What on the page is noise and not to be compared; the store only keeps it. */
  readonly noise: Json
  /** Where the page has moved for good. */
  readonly movedTo: string | null
  readonly lastVisit: LastVisit | null
  /** The last successful visit: gaps are counted from here. */
  readonly lastSeen: UnixSeconds | null
  /** The last visit that found a change. */
  readonly lastChange: UnixSeconds | null
  /** All attempts. */
  readonly visits: number
  readonly changes: number
  /** Failed or refused visits since the page last answered. */
  readonly failing: number
  /** Visits that found the page gone, since it was last seen. */
  readonly gone: number
}

/** Names a page: by its id in this store, or by collection and address. */
export type PageRef =
  | { readonly id: string }
  | { readonly collection: string; readonly url: string }

/** A page to be followed from now on. */
export interface NewPage {
  readonly url: string
  readonly group?: string
  /** 1 unless said. */
  readonly importance?: number
  readonly settings?: PageSettings
  /** At once unless said. */
  readonly due?: Due
  /** What a sitemap or a feed told of it. */
  readonly hints?: Json
}

/** What may be changed by hand; what is left out stays, null takes away. */
export interface PageChange {
  readonly group?: string | null
  readonly importance?: number
  readonly settings?: PageSettings
  readonly due?: Due
  /** Null forgets what was learned. */
  readonly state?: LearnerState | null
  readonly hints?: Json
  /** Null unmasks all. */
  readonly noise?: Json
}
