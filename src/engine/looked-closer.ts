import type {
  Clock,
  CloserLook,
  FetchAnswer,
  HostRecord,
  Lease,
  Seconds,
  Store,
  Visitor,
} from '../model/index.js'
import { askedAddress } from './asked-address.js'
import type { Rest } from './cycle-parts.js'
import { storeLeave } from './store-leave.js'
import type { Told } from './visit-report.js'

/** Repeats of one visit are given up after this. */
const longest: Seconds = 60

interface Parts {
  readonly closer?: CloserLook
  readonly store: Store
  readonly visitor: Visitor
  readonly clock: Clock
  readonly leaseTime: Seconds
  readonly worker: string
  readonly rest: (lease: Lease, rest: Rest) => Promise<void>
  readonly signal?: AbortSignal
}

/**
 * What is to be reported of a visit after a closer look, where one is wanted.
 * Repeats are visits like any other to the host: they ask its leave, keep its
 * delay and are booked; other pages of it may have their turn in between. They
 * are given up when the loop is to end, or well before the page's lease runs
 * out.
 */
export async function lookedCloser(told: Told, parts: Parts): Promise<Told> {
  const { answer, lease } = told
  const { closer, store } = parts
  if (closer === undefined || answer.kind !== 'content') return told
  const repeats = new Repeats(lease, { ...parts, bytes: answer.body.length })
  const sight = await closer.look({
    page: lease.page,
    answer,
    again: () => repeats.again(closer.wait),
    async kept() {
      const version = (await store.versionsOf(lease.page)).at(-1)
      const body = version === undefined ? null : await store.snapshot(version.digest)
      return body === null ? null : { body, headers: version?.headers ?? {} }
    },
  })
  // Others were at the host meanwhile: what it was like after the first look is no longer so.
  const host = parts.visitor.hostNow?.(lease.page.host) ?? repeats.host ?? told.host
  if (sight === null) return { ...told, host }
  const { page, bytes: repeatBytes } = sight
  return { ...told, host, lease: { ...lease, page }, noise: page.noise, repeatBytes }
}

class Repeats {
  readonly #lease: Lease
  readonly #parts: Parts
  readonly #end: number
  /** What the looks so far keep in memory. */
  #bytes: number
  /** The record of the page's host after the last repeat. */
  host: HostRecord | undefined

  /** `bytes` is what the first look keeps in memory. */
  constructor(lease: Lease, parts: Parts & { readonly bytes: number }) {
    this.#lease = lease
    this.#parts = parts
    this.#bytes = parts.bytes
    this.#end = parts.clock.now() + Math.min(longest, parts.leaseTime / 4)
  }

  async again(wait: Seconds): Promise<(FetchAnswer & { kind: 'content' }) | null> {
    const { clock, signal, rest } = this.#parts
    if (clock.now() + wait > this.#end) return null
    await rest(this.#lease, { until: clock.sleep(wait, signal), bytes: this.#bytes })
    while (signal?.aborted !== true && clock.now() <= this.#end) {
      const visit = await this.#visit()
      if (visit.kind === 'answered') {
        if (visit.answer.kind !== 'content') return null
        this.#bytes += visit.answer.body.length
        return visit.answer
      }
      if (visit.kind === 'disallowed' || visit.until > this.#end) return null
      await clock.sleep(Math.max(0, visit.until - clock.now()), signal)
    }
    return null
  }

  async #visit() {
    const { visitor, signal, worker, leaseTime } = this.#parts
    const { page } = this.#lease
    const { host } = page
    const request = { ...askedAddress(page), unconditional: true }
    const leave = storeLeave(this.#parts, { worker, ttl: leaseTime, signal })
    const visit = await visitor.visit(request, leave, host)
    this.host = visit.hosts.find((each) => each.host === host) ?? this.host
    return visit
  }
}
