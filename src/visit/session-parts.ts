import type { FetchAnswer, FetchRequest, Offered, Visitor } from '../model/fetcher.js'
import type { HostRecord, Lease } from '../model/lease.js'
import type { PageRecord, Validators } from '../model/page.js'
import type { NoiseRecheck, PublisherReader, Reader } from '../model/reader.js'
import type { Store } from '../model/store.js'
import type { Clock, RandomSource, Seconds, UnixSeconds } from '../model/units.js'
import type { Neighbours } from '../planner/collection/siblings.js'
import type { Planner } from '../planner/step.js'
import type { AllowedHours } from '../policies/allowed-hours.js'
import type { Rest } from './deferred.js'

/** Everything visits are made with; nothing in it is opened here. */
export interface SessionParts {
  readonly store: Store
  readonly visitor: Visitor
  readonly reader: Reader
  /** Tells noise from change by requesting again; no page is visited again without it. */
  readonly noiseRecheck?: NoiseRecheck
  readonly clock: Clock
  readonly random: RandomSource
  /** The policy and learner of a page. */
  readonly plannerFor: (page: PageRecord) => Planner
  /** Hours in which a page may be visited; at any time by default. */
  readonly hoursFor?: (page: PageRecord) => AllowedHours | null
  /** What to ask a page's server with, instead of what it sent; only where something is kept. */
  readonly validatorsFor?: (page: PageRecord) => Validators
  /** Listens to publishers' hints and finds pages; nobody does by default. */
  readonly publisher?: PublisherReader
  /** Tells pages of each other's changes; nobody does by default. */
  readonly neighbours?: Neighbours
}

export interface SessionTerms {
  /** Share of conditional visits made unconditionally. */
  readonly unconditionalShare: number
  readonly leaseTime: Seconds
  /** Who holds the hosts. */
  readonly worker: string
  /** The record of a host that is on its way to the store, if one is. */
  readonly unsavedHost: (name: string) => HostRecord | undefined
  /** Lets others at the page's host for a while. */
  readonly rest: (lease: Lease, rest: Rest) => Promise<void>
}

/** Permission to ask for one page, and how: what `finish` goes on from. */
export interface Permit {
  readonly lease: Lease
  readonly request: FetchRequest
  readonly began: UnixSeconds
  readonly hours: AllowedHours | null
  /** Who makes the request, where it is not us. */
  readonly client?: Client
}

/** Who was given a page to fetch. */
export interface Client {
  readonly worker: string
  /** Whether it repeats a request where that separates noise from change. */
  readonly repeats: boolean
  /** How long it has the page. */
  readonly ttl: Seconds
}

/** What a client reports of the page it was given. */
export interface ClientReport {
  /** As our own fetcher would have given it; `forbidden` where the client found that robots.txt says no. */
  readonly answer: FetchAnswer | 'forbidden'
  readonly at: UnixSeconds
  readonly duration: Seconds
  /** Instead of a content: the client's own digest of it. */
  readonly digest?: string
  /** Whether all that the server said came with it. A text or a digest does not tell which hints a page has dropped: then what is kept of them stays. */
  readonly isWhole: boolean
  /**
   * Has the client request the page once more, unconditionally, by a time at the
   * latest; null where it did not. Without it nothing is learned of noise: what
   * is known of it is masked in any case.
   */
  readonly repeat?: (offered: Offered, until: UnixSeconds) => Promise<FetchAnswer | null>
}
