import { isIP } from 'node:net'
import { FetchFailure } from './answer.js'
import { isPublicAddress } from './public-address.js'

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
export function checkContact(url: string, contact: string | null): void {
  if (contact === null && !isLocalUrl(url)) throw new FetchFailure('no-contact', contactAdvice)
}
