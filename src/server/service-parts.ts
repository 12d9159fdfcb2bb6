/** What the service runs on, and how it is reached. */

import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { VersionDiffs } from '../content/bounded/version-diffs.js'
import type { PageAddresses } from '../crawler/incoming/page-addresses.js'
import type { PageRecord } from '../model/page.js'
import type { Store } from '../model/store.js'
import type { Clock, Json, RandomSource, Seconds } from '../model/units.js'
import type { SendResult } from '../notify/delivery.js'
import type { CollectionController } from '../planner/collection/collection-controller.js'
import type { Planner } from '../planner/step.js'
import type { HostGate } from '../visit/politeness/host-gate.js'
import type { VisitSession } from '../visit/session.js'
import type { SettingRow } from './collection/settings.js'
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

/** Everything the service runs on; nothing in it is opened here. */
export interface ServiceParts {
  readonly store: Store
  readonly clock: Clock
  readonly random: RandomSource
  /** Of Revisit. */
  readonly version: string
  /** The collection that is served. */
  readonly collection: string
  /** The addresses under which pages are kept that clients name. */
  readonly addresses: PageAddresses
  /** The longest Retry-After of a server that is honoured. */
  readonly longestRetryAfter: Seconds
  /** Makes of clients' visits what it makes of our own. */
  readonly session: VisitSession
  /** What is known of hosts. */
  readonly gate: HostGate
  /** Compares kept versions, within limits. */
  readonly diffs: VersionDiffs
  /** The policy and learner of a page. */
  readonly plannerFor: (page: PageRecord) => Planner
  /** Keeps the budget; there is none to read or to change without it. */
  readonly controller?: CollectionController
  /** The settings in force, for a person to read; no secrets. */
  readonly settings: Readonly<Record<string, Json>>
  /** The same where they may be changed while the service runs. */
  readonly live?: LivePart
  /** The log of visits as it grows. */
  readonly feed: VisitFeed
  /** The loop that runs beside the service, if one does. */
  readonly loop?: LoopState
  /** Routes beside the API's own, under the same safety and in the same description. */
  readonly routes?: readonly AddRoutes[]
  /** What sends notifications, if this process does. */
  readonly notify?: NotifyPart
  /** Numbers for Prometheus beside the service's own, such as those of a frontier. */
  readonly metrics?: { text(): Promise<string> }
}

interface LivePart {
  /** Every setting, with what is in force and where it comes from. */
  rows(): readonly SettingRow[]
  /** Sets some by name, as a person writes them, for all processes; null goes back to the configuration. */
  change(changes: Readonly<Record<string, string | null>>): Promise<void>
}

interface NotifyPart {
  /** Private networks that channels may lead to. */
  readonly allowedNetworks: readonly string[]
  /** Where people reach the dashboard, if that is known. */
  readonly dashboard?: string | null
  /** Sends a test through a channel; null where there is none. */
  test(channel: string): Promise<SendResult | null>
}

/** Adds routes, such as those of a dashboard or of a plan for the budget. */
export type AddRoutes = (app: App, parts: ServiceParts) => void | Promise<void>

/** How the loop is doing. */
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
