import type { Lease } from '../../model/lease.js'
import { hostOf } from '../../model/page.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import type { MadeVisit } from '../../visit/deferred.js'
import { askedAddress } from '../../visit/request.js'
import type { ClientPermit } from '../../visit/session.js'
import type { ServiceParts } from '../service-parts.js'

interface LeaseAsked {
  readonly worker: string
  readonly limit: number
  readonly perHost: number
  readonly ttl: Seconds
  readonly host?: string
  /** Whether the client repeats a request where that separates noise from change. */
  readonly repeats: boolean
}

/** Pages that turn out not to be given are made up for, so many times. */
const rounds = 5
/** How far ahead a host's turn may lie where it has none left to give. */
const never: Seconds = -Infinity

/**
 * Gives pages that are due to clients, each with the permit of the session that
 * our own loop visits by: a page that is to wait, or that robots.txt forbids, is
 * put off or recorded as that, and not given.
 */
export class LeaseService {
  readonly #parts: ServiceParts

  constructor(parts: ServiceParts) {
    this.#parts = parts
  }

  async give(asked: LeaseAsked): Promise<readonly ClientPermit[]> {
    const given: ClientPermit[] = []
    /** Pages given of each host that is asked. */
    const ofHost = new Map<string, number>()
    for (let round = 0; round < rounds && given.length < asked.limit; round++) {
      const leases = await this.#lease({ ...asked, limit: asked.limit - given.length })
      for (const [at, lease] of leases.entries()) {
        const host = hostOf(askedAddress(lease.page).url)
        const before = ofHost.get(host) ?? 0
        const begun = await this.#begin(lease, { asked, before })
        if ('request' in begun) {
          given.push(begun)
          ofHost.set(host, before + 1)
        } else if (begun.budgetOpens !== undefined) {
          await this.#parts.store.releaseLeases(leases.slice(at + 1))
          return given
        }
      }
      if (leases.length === 0) break
    }
    return given
  }

  /** When there will be something to give to who asks the same again. */
  async next({
    perHost,
    host,
    worker,
  }: Pick<LeaseAsked, 'perHost' | 'host' | 'worker'>): Promise<UnixSeconds | null> {
    const { store, collection, clock, gate } = this.#parts
    const only = host === undefined ? {} : { host }
    const asked = { collection, perHost, worker: outsideName(worker), ...only }
    const next = await store.nextDue({ ...asked, now: clock.now() })
    return next === null ? null : Math.max(next, gate.spentUntil ?? next)
  }

  #lease({ worker, limit, perHost, ttl, host }: LeaseAsked): Promise<readonly Lease[]> {
    const { store, collection, clock } = this.#parts
    const terms = { collection, limit, perHost, ttl, worker: outsideName(worker) }
    const only = host === undefined ? {} : { host }
    return store.leaseDue({ ...terms, ...only, now: clock.now() })
  }

  /**
   * A first page waits for its host to have rested, a later one for those before
   * it. The store counts a host's own pages; those that have moved to it come on
   * top.
   */
  async #begin(
    lease: Lease,
    { asked, before }: { readonly asked: LeaseAsked; readonly before: number },
  ): Promise<ClientPermit | MadeVisit> {
    const { session, store, feed } = this.#parts
    const worker = outsideName(asked.worker)
    const ahead = before >= asked.perHost ? never : before === 0 ? 0 : asked.ttl / 2
    const { ttl, repeats } = asked
    const begun = await session.beginForClient(lease, { worker, ttl, repeats, ahead })
    if ('request' in begun || begun.report === null) return begun
    await store.recordVisits([begun.report])
    feed.nudge()
    return begun
  }
}

/** Apart from the names of our own processes, so that nobody gives back what the loop holds. */
export function outsideName(worker: string): string {
  return `outside:${worker}`
}
