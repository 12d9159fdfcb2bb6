/** A page as the API and the command line give it, with its change period. */

import { shownProxy } from '../../fetch/proxy.js'
import { LruMap } from '../../model/lru-map.js'
import type { PageRecord } from '../../model/page.js'
import type { Store } from '../../model/store.js'
import type { Seconds } from '../../model/units.js'
import { estimatedPeriod, learnedPeriod } from '../../planner/change-period.js'
import { stateSummary } from '../../planner/learned-step.js'
import { noPage } from '../errors.js'
import type { ServiceParts } from '../service-parts.js'
import type { PageAnswer } from './page-schema.js'

/** Headers may hold passwords: their names are shown, their values are not. */
const hidden = '(not shown)'

/** A page for a program: all that is kept of it but for the learner's numbers and secrets. */
export function pageJson({ state, ...rest }: PageRecord): Omit<PageAnswer, 'changePeriod'> {
  const { visits, changes } = stateSummary(state) ?? {}
  const learnedFrom = visits === undefined || changes === undefined ? null : { visits, changes }
  const page = { ...rest, learnedFrom }
  const { headers, proxy } = page.settings
  if (headers === undefined && proxy === undefined) return page
  const names = Object.keys(headers ?? {}).map((name) => [name, hidden])
  return {
    ...page,
    settings: {
      ...page.settings,
      ...(headers === undefined ? {} : { headers: Object.fromEntries(names) }),
      ...(proxy === undefined ? {} : { proxy: withoutPassword(proxy) }),
    },
  }
}

/** What was stored by another version may be none any more. */
function withoutPassword(proxy: string): string {
  try {
    return shownProxy(proxy)
  } catch {
    return hidden
  }
}

/** Estimates that are remembered; each takes milliseconds, and the dashboard asks every few seconds. */
const most = 50_000
/** In passing, an estimate is good until a page has an eighth more visits: so all have their turn. */
const goodFor = 1.125

/** Estimates that may still be made. */
interface Allowance {
  left: number
}

interface Remembered {
  /** Of the page when it was estimated: another visit makes it out of date. */
  readonly visits: number
  readonly period: Seconds | null
}

/**
 * The change periods of pages as the command line shows them, with estimates
 * remembered until the page is visited again.
 */
export class KnownPeriods {
  readonly #store: Store
  readonly #known = new LruMap<Remembered>({ most })

  private constructor(store: Store) {
    this.#store = store
  }

  static readonly #ofStores = new WeakMap<Store, KnownPeriods>()

  /** One for all routes of a store, so that none estimates what another has. */
  static of(store: Store): KnownPeriods {
    const known = KnownPeriods.#ofStores.get(store) ?? new KnownPeriods(store)
    KnownPeriods.#ofStores.set(store, known)
    return known
  }

  async period(
    page: PageRecord,
    { plannerFor }: Pick<ServiceParts, 'plannerFor'>,
  ): Promise<Seconds | null> {
    return learnedPeriod(plannerFor(page), page) ?? (await this.#estimated(page))
  }

  /**
   * The same, for who goes through many pages: an estimate may be a few visits
   * old, and is made only as long as the allowance lasts. Null for pages whose
   * turn has not come yet.
   */
  async inPassing(
    page: PageRecord,
    { plannerFor, allowance }: Pick<ServiceParts, 'plannerFor'> & { readonly allowance: Allowance },
  ): Promise<Seconds | null> {
    const learned = learnedPeriod(plannerFor(page), page)
    if (learned !== null || page.visits < 2) return learned
    const known = this.#known.get(page.id)
    const good = known !== undefined && page.visits <= goodFor * known.visits
    if (good || allowance.left <= 0) return known?.period ?? null
    allowance.left--
    return this.#estimated(page)
  }

  async #estimated(page: PageRecord): Promise<Seconds | null> {
    const known = this.#known.get(page.id)
    if (known?.visits === page.visits) return known.period
    const period = await estimatedPeriod(this.#store, page)
    this.#known.set(page.id, { visits: page.visits, period })
    return period
  }
}

/** A page as the API gives it. */
export async function pageView(
  page: PageRecord,
  { store, plannerFor }: Pick<ServiceParts, 'store' | 'plannerFor'>,
): Promise<PageAnswer> {
  const changePeriod = await KnownPeriods.of(store).period(page, { plannerFor })
  return { ...pageJson(page), changePeriod }
}

/** Pages as the API gives them, one after the other: those that must be estimated leave others their turn. */
export async function pageViews(
  pages: readonly PageRecord[],
  parts: Pick<ServiceParts, 'store' | 'plannerFor'>,
): Promise<PageAnswer[]> {
  const views: PageAnswer[] = []
  for (const page of pages) views.push(await pageView(page, parts))
  return views
}

/** The page of an id, in the collection that is served. */
export async function foundPage(
  id: string,
  { store, collection }: Pick<ServiceParts, 'store' | 'collection'>,
): Promise<PageRecord> {
  const page = await store.getPage({ id })
  if (page === null || page.collection !== collection) throw noPage(id)
  return page
}
