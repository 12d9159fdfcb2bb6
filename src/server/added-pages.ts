import type { ExpectedVisits } from '../engine/index.js'
import { shown } from '../formats/index.js'
import { type NewPage, type PageRecord, RevisitError, watchedSettings } from '../model/index.js'
import { checkedSettings } from './page-settings.js'
import type { NewPageBody } from './schema/pages.js'
import type { Static } from './schema/words.js'
import type { ServiceParts } from './service-parts.js'

/** A page that was not taken, and why. */
export interface RefusedPage {
  readonly url: string
  readonly code: string
  readonly message: string
}

/** What is told back of an address. */
const shownLength = 200

/** Pages in the form they are kept under; those that the crawler would not visit are refused. */
export function newPages(
  asked: readonly Static<typeof NewPageBody>[],
  parts: Pick<ServiceParts, 'web'>,
): { pages: NewPage[]; refused: RefusedPage[] } {
  const pages: NewPage[] = []
  const refused: RefusedPage[] = []
  for (const page of asked)
    try {
      const settings = watchedSettings(checkedSettings(page.settings ?? {}, parts))
      pages.push({ ...page, settings, url: parts.web.address(page.url) })
    } catch (error) {
      if (!(error instanceof RevisitError)) throw error
      const { code, message } = error
      refused.push({ url: page.url.slice(0, shownLength), code, message })
    }
  return { pages, refused }
}

/** Pages of those added that are asked when they are visited. */
const mostAsked = 200

/** When added pages that nobody visited yet are seen first and again, and what their own limits ask for beyond the budget. */
export async function plannedFor(
  added: readonly NewPage[],
  { store, collection, steward, clock }: ServiceParts,
): Promise<{ next: ExpectedVisits | null; warning: string | null }> {
  if (steward === undefined) return { next: null, warning: null }
  const now = clock.now()
  const pages: PageRecord[] = []
  for (const { url } of added.slice(0, 5 * mostAsked)) {
    const page = await store.getPage({ collection, url })
    if (page?.lastVisit === null) pages.push(page)
    if (pages.length === mostAsked) break
  }
  const next = pages.length === 0 ? null : await steward.expected(pages, { now })
  const promised = added.some(({ settings = {} }) => 'longest' in settings || 'policy' in settings)
  return { next, warning: promised ? await steward.promiseWarning({ now, shown }) : null }
}
