import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { VersionDiffs } from '../content/bounded/version-diffs.js'
import type { FetchAnswer } from '../model/fetcher.js'
import type { HostRecord } from '../model/lease.js'
import type { PageRecord } from '../model/page.js'
import type { PublisherReader, Reader } from '../model/reader.js'
import type { Store } from '../model/store.js'
import type { Clock, Json, RandomSource, Seconds, UnixSeconds } from '../model/units.js'
import type { SendResult } from '../notify/delivery.js'
import type { CollectionController } from '../planner/collection/collection-controller.js'
import type { Neighbours } from '../planner/collection/siblings.js'
import type { Planner } from '../planner/step.js'
import type { AllowedHours } from '../policies/allowed-hours.js'
import type { VisitFeed } from './events/visit-feed.js'
import type { SchemaTypes } from './schema.js'

/** The framework with types from the schemas of the routes. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  SchemaTypes
>

/**
 * What the service asks of the crawler's rules, so that pages added over HTTP
 * and visits made by outside fetchers obey the same ones. The command line
 * makes it from `crawl/`, which this room does not use.
 */
export interface WebRules {
  /** The form under which a page is kept; throws an InputError where it may not be followed. */
  address(text: string): string
  /** The same for a page of a log: recording asks no server, so nobody need be reachable for it. */
  loggedAddress(text: string): string
  /** What a status means; null where it is no answer to what was asked. */
  answerKind(
    status: number,
    asked: { readonly conditional: boolean },
  ): Exclude<FetchAnswer['kind'], 'failed'> | null
  retryAfter(text: string | undefined, now: UnixSeconds): Seconds | null
  readonly reader: Reader
  /** Throws an OptionError where a page cannot be read by these rules. */
  checkReading(rules: Json): void
  readonly hosts: HostRules
}

/** Politeness towards hosts that outside fetchers visit with our permission. */
export interface HostRules {
  /** The rest between two requests to a host. */
  delay(host: string, record: HostRecord | null): Seconds
  /** When the day's budget of all requests opens again; null where it is not used up. */
  spentUntil(): UnixSeconds | null
  /** When a request may start at the earliest. */
  readyAt(host: string, record: HostRecord | null): UnixSeconds
  /** Whether robots.txt lets the address be visited; null where it is not known or out of date. */
  allows(url: string, record: HostRecord | null): boolean | null
  /** A request is about to be made at `at`; the record to store before it is. */
  begun(host: string, record: HostRecord | null, at: UnixSeconds): HostRecord
  /** A request has ended; the record to store with its visit. */
  ended(host: string, record: HostRecord | null, answer: FetchAnswer): HostRecord
  /** For a person: what is known of the host. */
  facts(host: string, record: HostRecord | null): HostFacts
}

/** What politeness knows of a host. */
export interface HostFacts {
  readonly delay: Seconds
  readonly readyAt: UnixSeconds
  /** Failures in a row. */
  readonly failures: number
  readonly requestsToday: number
  readonly robots: readonly {
    readonly origin: string
    readonly verdict: string
    readonly until: UnixSeconds
    readonly crawlDelay: Seconds | null
    readonly rules: number
  }[]
}

/** Everything the service runs on; nothing in it is opened here. */
export interface ServiceParts {
  readonly store: Store
  readonly clock: Clock
  readonly random: RandomSource
  /** Of Revisit. */
  readonly version: string
  /** The collection that is served. */
  readonly collection: string
  readonly web: WebRules
  /** Compares kept versions, within limits. */
  readonly diffs: VersionDiffs
  /** The policy and learner of a page. */
  readonly plannerFor: (page: PageRecord) => Planner
  /** Keeps the budget; there is none to look at or to change without it. */
  readonly controller?: CollectionController
  /** Hears publishers' hints in reports of outside fetchers; nobody does by default. */
  readonly publisher?: PublisherReader
  /** Tells pages of each other's changes; nobody does by default. */
  readonly neighbours?: Neighbours
  /** Tells all who share the store how many requests were given permission today, and hears of theirs; nobody does by default. */
  readonly countToday?: () => Promise<void>
  /** Hours in which a page may be visited; at any time by default. */
  readonly hoursFor?: (page: PageRecord) => AllowedHours | null
  /** The settings in force, for a person to look at; no secrets. */
  readonly settings: Readonly<Record<string, Json>>
  /** The log of visits as it grows. */
  readonly feed: VisitFeed
  /** The loop that runs beside the service, if one does. */
  readonly loop?: LoopState
  /** Routes beside the API's own, under the same safety and in the same description. */
  readonly routes?: readonly AddRoutes[]
  /** What sends notifications, if this process does. */
  readonly notify?: NotifyPart
}

interface NotifyPart {
  /** Private networks that channels may lead to. */
  readonly allowedNetworks: readonly string[]
  /** Sends a test through a channel; null where there is none. */
  test(channel: string): Promise<SendResult | null>
}

/** Adds routes, such as those of a dashboard or of a plan for the budget. */
export type AddRoutes = (app: App, parts: ServiceParts) => void | Promise<void>

/** What can be told of the loop. */
export interface LoopState {
  readonly running: boolean
  /** Visits under way. */
  readonly underWay: number
}

/** How the service is reached, and by whom. */
export interface ServiceOptions {
  /** Address to listen on; 127.0.0.1 by default. */
  readonly host?: string
  /** 0 takes any free one; 7400 by default. */
  readonly port?: number
  /** Names beside localhost and addresses under which it is asked, such as those of a proxy. */
  readonly allowedHosts?: readonly string[]
  /** Ask for a key also where only this machine can reach it. */
  readonly requireKey?: boolean
  /** Requests a second from one address, on average; 100 by default. */
  readonly requestsPerSecond?: number
  /** Bytes of one request's body; 16 MiB by default. */
  readonly bodyBytes?: number
  /** Level of the log on standard error, or false for none; `info` by default. */
  readonly log?: 'error' | 'warn' | 'info' | 'debug' | false
}
