import type { Clock, Seconds, UnixSeconds } from '../../model/units.js'
import type { Admission, EnterTerms, HostGate, Refusal } from './host-gate.js'
import { delayOf } from './host-state.js'
import { bookedPermit, notAdmitted, type RequestChain, type VisitTerms } from './request-chain.js'

/** Between two who are to come back to a host that asks no delay. */
const shortestTurn: Seconds = 1
const shortestPatience: Seconds = 30
/** Well within the time for which a page is leased. */
const longestPatience: Seconds = 120

/**
 * Redirects of many hosts may lead to one. Those who can have their turn soon
 * wait for it; the others are told when to come back, each a delay after the
 * one before, so that they do not all come at once and in vain.
 */
export class HostTurns {
  readonly #gate: HostGate
  readonly #clock: Clock
  /** How many wait for a host. */
  readonly #waiting = new Map<string, number>()
  /** When the last one is to come back who could not wait. */
  readonly #reserved = new Map<string, UnixSeconds>()

  constructor(gate: HostGate) {
    this.#gate = gate
    this.#clock = gate.clock
  }

  /** How long a redirect waits for its host: time for its robots.txt and the page, and for some others. */
  patience(host: string): Seconds {
    return Math.min(longestPatience, Math.max(shortestPatience, 3 * this.#delay(host)))
  }

  /** Whether its delay alone is longer than anybody waits. */
  isTooSlow(host: string): boolean {
    return this.#delay(host) > longestPatience
  }

  /** Makes a host ours for a visit within the patience; null, or when to come back. */
  async hold(
    host: string,
    { visit, beside }: { readonly visit: VisitTerms; readonly beside: boolean },
  ): Promise<Refusal | null> {
    const patience = this.patience(host)
    const ahead = this.#ahead(host)
    if (ahead > patience) return this.#comeBack(host, this.#clock.now() + ahead)
    const held = await this.#counted(host, () => visit.holds.hold(host, { patience, beside }))
    return held ? null : this.#comeBack(host, this.#clock.now())
  }

  /** Admits a request within the patience, or says when to come back. */
  readonly enter = async (host: string, terms: EnterTerms): Promise<Admission> => {
    const ahead = this.#ahead(host)
    if (ahead > terms.patience) return this.#comeBack(host, this.#clock.now() + ahead)
    const admission = await this.#counted(host, () => this.#gate.enter(host, terms))
    if (admission.admitted || terms.needless?.() === true) return admission
    // A budget that is used up has no turns to give.
    if (admission.spent === true) return admission
    return this.#comeBack(host, admission.at)
  }

  /** How long those who wait for a host take, and whoever is being served. */
  #ahead(host: string): Seconds {
    const waiting = this.#waiting.get(host) ?? 0
    return waiting === 0 ? 0 : (waiting + 1) * this.#delay(host)
  }

  /** One more waits for the host meanwhile. */
  async #counted<T>(host: string, wait: () => Promise<T>): Promise<T> {
    this.#waiting.set(host, (this.#waiting.get(host) ?? 0) + 1)
    try {
      return await wait()
    } finally {
      const left = this.#waiting.get(host)! - 1
      if (left > 0) this.#waiting.set(host, left)
      else this.#waiting.delete(host)
    }
  }

  #comeBack(host: string, soonest: UnixSeconds): Refusal {
    const now = this.#clock.now()
    for (const [each, until] of this.#reserved) if (until < now) this.#reserved.delete(each)
    const turn = Math.max(shortestTurn, this.#delay(host))
    const at = Math.max(soonest, (this.#reserved.get(host) ?? -Infinity) + turn)
    this.#reserved.set(host, at)
    return { admitted: false, at }
  }

  #delay(host: string): Seconds {
    return delayOf(this.#gate.state(host), this.#gate.politeness)
  }
}

/** A request chain goes on to this host once it is its turn, and booked; or why not. */
export async function nextRequest(
  host: string,
  way: {
    readonly chain: RequestChain
    readonly visit: VisitTerms
    readonly patience: Seconds
    readonly turns: HostTurns
    readonly gate: HostGate
  },
): Promise<ReturnType<typeof notAdmitted> | null> {
  const { chain, visit, patience, turns, gate } = way
  const { hostAccess } = visit
  const entered = await turns.enter(host, { patience, signal: hostAccess.signal })
  if (!entered.admitted) return notAdmitted(entered)
  await bookedPermit(entered.permit, { gate, hostAccess })
  chain.goesOn(entered.permit)
  return null
}
