import { defaultLimits, type FetchLimits } from '../fetch/limits.js'
import type { Seconds } from '../model/units.js'
import type { Budget } from '../planner/collection/budget.js'
import type { Objective } from '../planner/value/objective.js'
import { defaultPoliteness, type Politeness } from '../visit/politeness/politeness.js'

/**
 * How a collection is crawled. The settings of the command line have the same
 * names, and their defaults from `crawlerDefaults`.
 */
export interface CrawlerSettings extends Politeness, FetchLimits {
  readonly collection: string
  /** A web or e-mail address at which the person who runs this can be reached; without one our own fetcher asks no public host. */
  readonly contact: string | null
  /** A product of one's own that stands before ours in the User-Agent, such as MyArchive/1.0. */
  readonly product: string | null
  /** Through which servers are asked: http, https or socks5. */
  readonly proxy: string | null
  /** The policy of pages that name none of their own. */
  readonly policy: string
  /** What the default policy visits pages for. */
  readonly objective: Objective
  /** The same for the pages of a group, or of a host. */
  readonly groupObjectives: Readonly<Record<string, Objective>>
  /** Requests that the default policy spends. */
  readonly budget: Budget
  /** Whether publishers' hints that proved right move the visits of the default policy. */
  readonly hints: boolean
  readonly shortestGap: Seconds | null
  readonly longestGap: Seconds | null
  /** Hours in which pages may be visited, such as `mon-fri 22-6`, in UTC. */
  readonly hours: string | null
  /** Visits under way at once, over all hosts. */
  readonly concurrency: number
  /** Private networks that may be visited, such as `127.0.0.0/8`. */
  readonly allowedNetworks: readonly string[]
  /** Share of conditional visits made unconditionally, to catch a server whose 304 lies. */
  readonly unconditionalShare: number
  /** After a first visit or a change, a page with `noiseCheck` is fetched again after so long; 0: never. */
  readonly noiseWait: Seconds
  /** How long a page is held for one visit. */
  readonly leaseTime: Seconds
  /** No longer than this between two polls of what is due, so that pages added meanwhile are seen. */
  readonly pollEvery: Seconds
  /** The Chromium or Chrome that renders pages; one that is found where null. */
  readonly browserPath: string | null
  /** Whether the browser that renders pages confines them to its sandbox. */
  readonly browserSandbox: boolean
  /** Whether tracking parameters (utm_source ...) are left out of addresses that are found. */
  readonly dropTracking: boolean
}

/** Those that may be others while a crawler runs. */
export type ChangingSettings = Pick<
  CrawlerSettings,
  'contact' | 'allowedNetworks' | 'delay' | 'requestsPerDay' | 'hostRequestsPerDay' | 'hours'
>

export const crawlerDefaults: CrawlerSettings = {
  ...defaultPoliteness,
  ...defaultLimits,
  collection: 'default',
  contact: null,
  product: null,
  proxy: null,
  policy: 'auto',
  objective: 'freshness',
  groupObjectives: {},
  budget: { perPage: 1 },
  hints: true,
  shortestGap: null,
  longestGap: null,
  hours: null,
  concurrency: 16,
  allowedNetworks: [],
  unconditionalShare: 0.05,
  noiseWait: 3,
  leaseTime: 300,
  pollEvery: 5,
  browserPath: null,
  browserSandbox: true,
  dropTracking: false,
}
