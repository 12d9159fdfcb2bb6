import { type NewPage, RevisitError, watchedSettings } from '../model/index.js'
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
