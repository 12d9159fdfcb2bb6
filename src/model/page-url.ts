import { InputError } from './errors.js'

/**
 * The one form of an address under which a page is kept, so that one page is
 * one row: WHATWG's form without the fragment. Only http and https.
 */
export function pageUrl(address: string): string {
  const url = parsed(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new InputError('bad-url', `${shortened(address)} is not an http or https address`)
  url.hash = ''
  return url.href
}

/**
 * The host of an address in the form of `pageUrl`, with its port unless that is
 * the default: the unit of politeness. Cut out, not parsed: it is asked for
 * every page that is read.
 */
export function hostOf(url: string): string {
  const from = url.indexOf('//') + 2
  const authority = url.slice(from, url.indexOf('/', from))
  return authority.slice(authority.lastIndexOf('@') + 1)
}

function parsed(address: string): URL {
  try {
    return new URL(address)
  } catch (cause) {
    throw new InputError('bad-url', `${shortened(address)} is not an address of a page`, { cause })
  }
}

function shortened(address: string): string {
  return address.length > 100 ? `${address.slice(0, 97)}...` : address
}
