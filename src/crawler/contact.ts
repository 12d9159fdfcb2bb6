import { contactAdvice, isLocalUrl } from '../fetch/contact.js'
import { OptionError } from '../model/errors.js'
import type { PageRecord } from '../model/page.js'
import type { Store } from '../model/store.js'
import type { CrawlerSettings } from './settings.js'

type Terms = Pick<CrawlerSettings, 'contact' | 'collection'>

/** Refuses to visit public hosts anonymously: who is at hand to begin a run can say who they are. */
export async function requireContact(store: Store, terms: Terms): Promise<void> {
  refuse(await unvisitable(store, terms))
}

/** The same for some pages. */
export function requireContactFor(
  pages: readonly PageRecord[],
  { contact }: Pick<CrawlerSettings, 'contact'>,
): void {
  refuse(contact === null ? publicIn(pages) : null)
}

function refuse(url: string | null): void {
  if (url !== null)
    throw new OptionError('no-contact', `${url} is on a public host, and ${contactAdvice}`)
}

function publicIn(pages: readonly PageRecord[]): string | null {
  return pages.find(({ url }) => !isLocalUrl(url))?.url ?? null
}

/**
 * The same for a service, which must come up again after a restart although a
 * log of public pages was imported: what to say of those pages, or null where
 * there are none. No request is made for them: each fails for itself.
 */
export async function contactWarning(store: Store, terms: Terms): Promise<string | null> {
  const url = await unvisitable(store, terms)
  if (url === null) return null
  return `${url} is on a public host: such pages are not visited (no-contact), for ${contactAdvice}`
}

/** The first page that is not visited for want of a contact. */
async function unvisitable(store: Store, { contact, collection }: Terms): Promise<string | null> {
  if (contact !== null) return null
  let after: string | undefined
  do {
    const list = await store.listPages({
      collection,
      limit: 1000,
      ...(after === undefined ? {} : { after }),
    })
    const url = publicIn(list.pages)
    if (url !== null) return url
    after = list.next ?? undefined
  } while (after !== undefined)
  return null
}
