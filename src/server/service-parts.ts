import type { Mind, Neighbours, Steward } from '../engine/index.js'
import type {
  Clock,
  Json,
  PageRecord,
  PublisherReader,
  RandomSource,
  Store,
} from '../model/index.js'
import type { SendResult, VersionDiffs } from '../notify/index.js'
import type { AllowedHours } from '../schedule/index.js'
import type { App } from './app.js'
import type { VisitFeed } from './events/visit-feed.js'
import type { WebRules } from './web-rules.js'

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
  readonly mindFor: (page: PageRecord) => Mind
  /** Keeps the budget; there is none to look at or to change without it. */
  readonly steward?: Steward
  /** Hears publishers' hints in reports of outside fetchers; nobody does unless said. */
  readonly publisher?: PublisherReader
  /** Tells pages of each other's changes; nobody does unless said. */
  readonly neighbours?: Neighbours
  /** Tells all who share the store how many requests were given leave today, and hears of theirs; nobody does unless said. */
  readonly countToday?: () => Promise<void>
  /** Hours in which a page may be visited; at any time unless said. */
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

export interface NotifyPart {
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
  /** Address to listen on; 127.0.0.1 unless said. */
  readonly host?: string
  /** 0 takes any free one; 7400 unless said. */
  readonly port?: number
  /** Names beside localhost and addresses under which it is asked, such as those of a proxy. */
  readonly allowedHosts?: readonly string[]
  /** Ask for a key also where only this machine can reach it. */
  readonly requireKey?: boolean
  /** Requests a second from one address, on average; 100 unless said. */
  readonly requestsPerSecond?: number
  /** Bytes of one request's body; 16 MiB unless said. */
  readonly bodyBytes?: number
  /** Level of the log on standard error, or false for none; `info` unless said. */
  readonly log?: 'error' | 'warn' | 'info' | 'debug' | false
}
