import type { Store, StoreHealth } from '../../model/store.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import type { ChoreHold, WorkerSummary } from '../../model/worker.js'
import { ledgerFrom, priceIn } from '../../planner/budget/budget-controller.js'
import { ledgerSetting } from '../../planner/collection/budget.js'
import { lastScan } from '../../planner/collection/scan.js'

/** A worker that gave no sign for longer is taken for gone: it reports every five seconds. */
const silentAfter: Seconds = 30

/** Who is at work on a store, and how they do. */
export interface StoreStatus extends StoreHealth {
  readonly now: UnixSeconds
  readonly collection: string
  /** How long the page that is due the longest has waited. */
  readonly lag: Seconds
  readonly workers: readonly (WorkerSummary & {
    /** Whether it reported of late. */
    readonly alive: boolean
  })[]
  readonly chores: readonly (ChoreHold & {
    /** Whether the hold still counts; one that does not is taken over by another worker. */
    readonly held: boolean
  })[]
  /** What a request costs, in seconds of freshness. */
  readonly price: number
  /** When all pages were last scanned; null before they were. */
  readonly scannedAt: UnixSeconds | null
  /** Share of copies that are predicted to be fresh, by that scan. */
  readonly predictedFreshness: number | null
}

/** The same for all who ask, whatever process they are of. */
export async function storeStatus(
  store: Store,
  { collection, now }: { readonly collection: string; readonly now: UnixSeconds },
): Promise<StoreStatus> {
  const health = await store.health({ collection, now })
  const workers = await store.workers({ now })
  const chores = await store.chores()
  const scan = await lastScan(store, collection)
  return {
    now,
    collection,
    ...health,
    lag: Math.max(0, now - (health.oldestDue ?? now)),
    workers: workers.map((each) => ({ ...each, alive: now - each.lastSign < silentAfter })),
    chores: chores.map((each) => ({ ...each, held: each.expiresAt > now })),
    price: priceIn(ledgerFrom(await store.getSetting(collection, ledgerSetting)), 'freshness'),
    scannedAt: scan?.at ?? null,
    predictedFreshness: scan?.predicted ?? null,
  }
}
