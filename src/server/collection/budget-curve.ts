import { setImmediate } from 'node:timers/promises'
import { shown } from '../../formats/printable-text.js'
import type { Clock } from '../../model/units.js'
import { BudgetPlanner, type HostPlan, type PlanPoint } from '../../planner/budget/budget-plan.js'
import { guaranteeWarning, sharesWith } from '../../planner/budget/guarantees.js'
import type { PlanSample } from '../../planner/budget/plan-sample.js'
import { requestsOf } from '../../planner/collection/budget.js'
import type { CollectionController } from '../../planner/collection/collection-controller.js'
import type { Sliced } from '../../planner/sliced.js'

/** Real milliseconds of work before others get their turn. */
const most = 10

/** Does sliced work to its end without holding others up. */
async function inSlices<T>(work: Sliced<T>): Promise<T> {
  let began = performance.now()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() - began < most) continue
    await setImmediate()
    began = performance.now()
  }
}

/** What may be spent, and what it buys on this collection. */
interface BudgetView {
  /** The budget in force; null where there is none. */
  readonly requestsPerDay: number | null
  readonly curve: readonly PlanPoint[]
  readonly hosts: readonly HostPlan[]
  /** At the budget, and with a fifth fewer or more requests. */
  readonly now: PlanPoint | null
  readonly fewer: PlanPoint | null
  readonly more: PlanPoint | null
  readonly sample: Omit<PlanSample, 'pages'> & { readonly sampled: number }
  readonly promises: GuaranteedShares | null
}

/** What longest gaps and policies of pages' own ask for, and what comes of it. */
interface GuaranteedShares {
  readonly pages: number
  readonly requestsPerDay: number
  /** What part of a budget the other pages keep at least. */
  readonly leastShare: number
  /** Requests a day that will be made in all; the budget, or more. */
  readonly spent: number
  /** For a person, where that is more than the budget. */
  readonly warning: string | null
}

interface Curve {
  readonly planner: BudgetPlanner | null
  readonly sample: PlanSample
}

/** Pages that a curve is worked out on: a second of work in all. */
const sampleSize = 1000
/** Real milliseconds that a curve is good for at least, and how many times its own cost. */
const goodFor = 15_000
const costFactor = 60

/**
 * What budgets bring on a collection. The curve is made in slices and kept for
 * a while; an old one is told while the next is made.
 */
export class BudgetPlanning {
  readonly #controller: CollectionController
  readonly #clock: Clock
  #curve: Curve | undefined
  #making: Promise<Curve> | undefined
  #nextAt = 0
  readonly #views = new Map<string, Promise<BudgetView>>()

  constructor({
    controller,
    clock,
  }: { readonly controller: CollectionController; readonly clock: Clock }) {
    this.#controller = controller
    this.#clock = clock
  }

  /** At the budget in force. Views of the same curve and budget are made once. */
  async view(): Promise<BudgetView> {
    const { planner, sample } = await this.#newestCurve()
    const { budget, mostPerDay, price } = this.#controller
    const requestsPerDay = requestsOf(budget, { pages: sample.of, most: mostPerDay })
    const key = `${requestsPerDay}`
    const made =
      this.#views.get(key) ??
      viewOf({ planner, sample }, { requestsPerDay, price, most: mostPerDay })
    this.#views.set(key, made)
    made.catch(() => this.#views.delete(key))
    return made
  }

  async #newestCurve(): Promise<Curve> {
    if (this.#making === undefined && performance.now() >= this.#nextAt) {
      this.#making = this.#made().finally(() => {
        this.#making = undefined
      })
      // Told to who waits for it; who does not has the one before.
      this.#making.catch(() => undefined)
    }
    return this.#curve ?? (await this.#making!)
  }

  async #made(): Promise<Curve> {
    const began = performance.now()
    const sample = await this.#controller.sample({ now: this.#clock.now(), size: sampleSize })
    const { pages, of, promises } = sample
    const spentAt = (requestsPerDay: number) => sharesWith(promises, requestsPerDay).total
    const planner = pages.length === 0 ? null : new BudgetPlanner(pages, { of, spentAt })
    if (planner !== null) await inSlices(planner.curve())
    const made = { planner, sample }
    const cost = performance.now() - began
    // Nothing is soon more than nothing.
    const wait = pages.length === 0 ? 1000 : Math.max(goodFor, costFactor * cost)
    this.#nextAt = performance.now() + wait
    this.#curve = made
    this.#views.clear()
    return made
  }
}

async function viewOf(
  { planner, sample }: Curve,
  {
    requestsPerDay,
    price,
    most,
  }: { requestsPerDay: number | null; price: number; most: number | null },
): Promise<BudgetView> {
  const { pages, ...counts } = sample
  const promises = guaranteedShares(sample, { requestsPerDay, most })
  const about = { requestsPerDay, promises, sample: { ...counts, sampled: pages.length } }
  const none = { now: null, fewer: null, more: null }
  if (planner === null) return { ...about, ...none, curve: [], hosts: [] }
  if (requestsPerDay === null || requestsPerDay <= 0) {
    const curve = await inSlices(planner.curve())
    return { ...about, ...none, curve, hosts: await inSlices(planner.hosts(price)) }
  }
  const { now, fewer, more, curve, hosts } = await inSlices(planner.plan(requestsPerDay))
  return { ...about, now, fewer, more, curve: joined([...curve, now, fewer, more]), hosts }
}

function guaranteedShares(
  { promises }: PlanSample,
  { requestsPerDay, most }: { requestsPerDay: number | null; most: number | null },
): GuaranteedShares | null {
  if (promises.pages === 0 || promises.followers === 0) return null
  const { pages, requestsPerDay: asked } = promises
  // With nearly nothing to share out, all that is left is what is guaranteed.
  const leastShare = sharesWith({ ...promises, requestsPerDay: 1e9 }, 1).rest
  const spent = requestsPerDay === null ? asked : sharesWith(promises, requestsPerDay).total
  const warning = guaranteeWarning(promises, { requestsPerDay, most, shown })
  return { pages, requestsPerDay: asked, leastShare, spent, warning }
}

/** Points by requests, each once. */
function joined(points: readonly PlanPoint[]): PlanPoint[] {
  const sorted = points.toSorted((a, b) => a.requestsPerDay - b.requestsPerDay)
  return sorted.filter((point, i) => point.requestsPerDay !== sorted[i - 1]?.requestsPerDay)
}
