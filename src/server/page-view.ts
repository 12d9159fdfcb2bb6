import { believedPeriod } from '../engine/index.js'
import type { PageRecord } from '../model/index.js'
import { noPage } from './api-error.js'
import { pageJson } from './page-json.js'
import type { ServiceParts } from './service-parts.js'

/** A page as the API tells it. */
export function pageView(page: PageRecord, { mindFor }: Pick<ServiceParts, 'mindFor'>) {
  return { ...pageJson(page), changePeriod: believedPeriod(mindFor(page), page) } as never
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
