import type { Lease } from '../model/lease.js'
import type { Seconds, UnixSeconds } from '../model/units.js'
import type { SessionParts } from '../visit/session-parts.js'
import { crawlerDefaults } from './settings.js'
import type { SavedVisit } from './unsaved-visits.js'

/** How a loop goes about its pages; the defaults are the crawler's. */
export interface CycleSettings {
  readonly collection: string
  /** Names this process to the store, and no other that runs. */
  readonly worker: string
  /** Visits under way at once, over all hosts. */
  readonly concurrency?: number
  /** Visits under way at once to one host; 1 by default. */
  readonly perHost?: number
  /**
   * Pages leased together for each visit to a host, to be made one after
   * another without asking the store between; 1 by default. More is of use
   * where hosts ask no delay.
   */
  readonly ahead?: number
  /** How long a page is held for one visit. */
  readonly leaseTime?: Seconds
  /** Share of conditional visits made unconditionally, to catch a server whose 304 lies. */
  readonly unconditionalShare?: number
  /** No longer than this between two polls of what is due, so that pages added meanwhile are seen. */
  readonly pollEvery?: Seconds
}

export function withDefaults(settings: CycleSettings): Required<CycleSettings> {
  const { concurrency, leaseTime, unconditionalShare, pollEvery } = crawlerDefaults
  const defaults = { concurrency, leaseTime, unconditionalShare, pollEvery, perHost: 1, ahead: 1 }
  return { ...defaults, ...settings }
}

/** How one run of it begins and ends. */
export interface RunOptions {
  /** Finishes what is under way, then ends. */
  readonly signal?: AbortSignal
  /** Ends once nothing is due, or the budget of requests is used up. */
  readonly once?: boolean
  /** With `once`: hosts that rest longer than this are left to the next run; none by default. */
  readonly patience?: Seconds
  /** Ends at this time. */
  readonly until?: UnixSeconds
  /** Called when a visit is not made because the day's budget of requests is used up, with when it opens again. */
  readonly onSpent?: (opens: UnixSeconds) => void
  /** With `once`: called while nothing can be visited before this time, since the hosts of all pages that are due rest. */
  readonly onRest?: (until: UnixSeconds) => void
  /** Called after each visit is safely recorded. */
  readonly onVisit?: (saved: SavedVisit) => void
}

type Asks = Pick<SessionParts, 'store' | 'clock'>
type Of = Pick<Required<CycleSettings>, 'collection' | 'perHost' | 'worker'>

/** When the next page may be leased; null where none ever falls due. */
function nextDue({ store, clock }: Asks, of: Of): Promise<UnixSeconds | null> {
  const { collection, perHost, worker } = of
  return store.nextDue({ collection, now: clock.now(), perHost, worker })
}

/** How long to wait before something may be leased, where no wake signal comes before; `polls` asks the store. */
export async function untilNextPoll(
  parts: Asks,
  of: Of & Pick<Required<CycleSettings>, 'pollEvery'>,
  { polls, until }: { readonly polls: boolean; readonly until: UnixSeconds },
): Promise<Seconds> {
  const next = polls ? await nextDue(parts, of) : null
  const now = parts.clock.now()
  return Math.max(0.001, Math.min(next ?? Infinity, until, now + of.pollEvery) - now)
}

/** When the next of the pages that are due now may be leased; null where none is due, or their hosts rest for longer than the patience. */
export async function dueSoon(
  parts: Asks,
  of: Of,
  { patience = Infinity }: { readonly patience?: Seconds },
): Promise<UnixSeconds | null> {
  const now = parts.clock.now()
  const { collection } = of
  if ((await parts.store.countPages({ collection, dueBy: now })) === 0) return null
  const next = await nextDue(parts, of)
  if (patience === Infinity) return next ?? now
  return next !== null && next <= now + patience ? next : null
}

/** Pages are leased in batches: asking the store after each visit would cost more than the visit. */
export class LeaseBatches {
  readonly #parts: Pick<SessionParts, 'store' | 'clock'>
  readonly #settings: Required<CycleSettings>
  /** Pages that may be leased in all. */
  readonly #most: number
  /** A quarter of them: the first visits need not wait for the rest. */
  readonly #batch: number

  constructor(parts: Pick<SessionParts, 'store' | 'clock'>, settings: Required<CycleSettings>) {
    const { concurrency, ahead } = settings
    this.#parts = parts
    this.#settings = settings
    this.#most = concurrency * ahead
    this.#batch = Math.max(concurrency, this.#most >> 2)
  }

  /**
   * Whether another is to be taken. No more pages wait than will be visited
   * while the next are fetched: others cannot have them meanwhile.
   */
  hasRoom({ waiting, atHand }: { readonly waiting: number; readonly atHand: number }): boolean {
    return waiting <= 0.75 * this.#batch && atHand <= 0.75 * this.#most
  }

  /** A page that waited for half of its lease goes back: its visit might outlast the rest. */
  isFresh({ expiresAt }: Lease): boolean {
    const { ahead, leaseTime } = this.#settings
    return ahead === 1 || expiresAt - this.#parts.clock.now() >= leaseTime / 2
  }

  /** As many as there is room for. Paused visits keep their leases; where pages are held ahead they take nobody's place. */
  take(atHand: number, paused: number): Promise<readonly Lease[]> {
    const { collection, perHost, ahead, leaseTime, worker } = this.#settings
    return this.#parts.store.leaseDue({
      collection,
      limit: Math.min(this.#batch, this.#most - atHand),
      perHost,
      ahead: perHost * ahead + (ahead > 1 ? paused : 0),
      worker,
      now: this.#parts.clock.now(),
      ttl: leaseTime,
    })
  }
}
