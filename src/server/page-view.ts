import type { PageRecord } from '../model/index.js'
import { noPage } from './api-error.js'
import { pageJson } from './page-json.js'
import type { ServiceParts } from './service-parts.js'
import { ToldPeriods } from './told-periods.js'

/** A page as the API tells it. */
export async function pageView(
  page: PageRecord,
  { store, mindFor }: Pick<ServiceParts, 'store' | 'mindFor'>,
): Promise<never> {
  const changePeriod = await ToldPeriods.of(store).period(page, { mindFor })
  return { ...pageJson(page), changePeriod } as never
}

/** Pages as the API tells them, one after the other: those that must be estimated leave others their turn. */
export async function pageViews(
  pages: readonly PageRecord[],
  parts: Pick<ServiceParts, 'store' | 'mindFor'>,
): Promise<never[]> {
  const views: never[] = []
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
