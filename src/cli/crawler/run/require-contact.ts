import { OptionError, type PageRecord, type Store } from '../../../model/index.js'
import type { Configuration } from '../../config/settings.js'
import { contactAdvice, isLocalUrl } from '../local-only-fetcher.js'

/** Refuses to visit public hosts anonymously. Stops at the first page that is on one. */
export async function requireContact(
  store: Store,
  { contact, collection }: Configuration,
): Promise<void> {
  if (contact !== null) return
  let after: string | undefined
  do {
    const list = await store.listPages({
      collection,
      limit: 1000,
      ...(after === undefined ? {} : { after }),
    })
    requireContactFor(list.pages, { contact })
    after = list.next ?? undefined
  } while (after !== undefined)
}

/** The same for some pages. */
export function requireContactFor(
  pages: readonly PageRecord[],
  { contact }: Pick<Configuration, 'contact'>,
): void {
  const page = contact === null ? pages.find(({ url }) => !isLocalUrl(url)) : undefined
  if (page !== undefined)
    throw new OptionError('no-contact', `${page.url} is on a public host, and ${contactAdvice}`)
}
