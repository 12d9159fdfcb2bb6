import { isIP } from 'node:net'
import { isPublicAddress } from '../../crawl/index.js'
import type { Clock, FetchAnswer, Fetcher, FetchOptions, FetchRequest } from '../../model/index.js'

/** How to say who we are. */
export const contactAdvice =
  'servers must be able to reach you: set "contact: you@example.org" in revisit.yaml, REVISIT_CONTACT, or --contact, to an e-mail or web address of yours'

/** Stands in the User-Agent where only servers of our own are asked. */
export const localContact = 'http://localhost/'

/** Whether an address leads to this machine or a private network, by what is written alone. */
export function isLocalUrl(url: string): boolean {
  const { hostname } = new URL(url)
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare) !== 0) return !isPublicAddress(bare)
  return /(^|\.)localhost$/.test(bare)
}

/** Without a contact no server is asked but those of our own, redirects included. */
export class LocalOnlyFetcher implements Fetcher {
  readonly #fetcher: Fetcher
  readonly #clock: Clock

  constructor(parts: { readonly fetcher: Fetcher; readonly clock: Clock }) {
    this.#fetcher = parts.fetcher
    this.#clock = parts.clock
  }

  async fetch(request: FetchRequest, options: FetchOptions = {}): Promise<FetchAnswer> {
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
