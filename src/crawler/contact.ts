import { isIP } from 'node:net'
import { isPublicAddress } from '../fetch/public-address.js'
import { OptionError } from '../model/errors.js'
import type { FetchAnswer, Fetcher, FetchOptions, FetchRequest } from '../model/fetcher.js'
import type { PageRecord } from '../model/page.js'
import type { Store } from '../model/store.js'
import type { Clock } from '../model/units.js'
import type { CrawlerSettings } from './settings.js'

/** How to say who we are. */
export const contactAdvice =
  'servers must be able to reach you: set the contact to an e-mail or web address of yours, under Settings in the dashboard, by revisit config --set contact=you@example.org, in revisit.yaml, REVISIT_CONTACT or --contact'

/** Stands in the User-Agent where only servers of our own are asked. */
export const localContact = 'http://localhost/'

/** Whether an address leads to this machine or a private network, by what is written alone. */
export function isLocalUrl(url: string): boolean {
  const { hostname } = new URL(url)
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare) !== 0) return !isPublicAddress(bare)
  return /(^|\.)localhost$/.test(bare)
}

/** While there is no contact no server is asked but those of our own, redirects included. */
export class LocalOnlyFetcher implements Fetcher {
  readonly #fetcher: Fetcher
  readonly #clock: Clock
  readonly #isNamed: () => boolean

  constructor(parts: {
    readonly fetcher: Fetcher
    readonly clock: Clock
    /** Whether there is a contact now. */
    readonly isNamed: () => boolean
  }) {
    this.#fetcher = parts.fetcher
    this.#clock = parts.clock
    this.#isNamed = parts.isNamed
  }

  fetch(request: FetchRequest, options: FetchOptions = {}): Promise<FetchAnswer> {
    return this.#isNamed()
      ? this.#fetcher.fetch(request, options)
      : this.#fetchLocal(request, options)
  }

  async #fetchLocal(request: FetchRequest, options: FetchOptions): Promise<FetchAnswer> {
    if (!isLocalUrl(request.url)) return this.#refusal()
    const mayFollow = async (url: string) =>
      isLocalUrl(url) && (await (options.mayFollow?.(url) ?? true))
    return this.#fetcher.fetch(request, { ...options, mayFollow })
  }

  close(): Promise<void> {
    return this.#fetcher.close()
  }

  #refusal(): FetchAnswer {
    const at = this.#clock.now()
    return {
      kind: 'failed',
      fault: 'no-contact',
      message: contactAdvice,
      at,
      bytesReceived: 0,
    }
  }
}

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
