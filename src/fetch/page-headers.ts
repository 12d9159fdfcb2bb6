import { OptionError } from '../model/errors.js'

/** Headers that belong to the connection, or to what a visit asks: a page cannot have its own. */
const reserved =
  /^(?:host|connection|keep-alive|transfer-encoding|content-length|te|upgrade|expect|accept-encoding|if-none-match|if-modified-since)$/i
/** RFC 9110, 5.1 and 5.5. */
const token = /^[!#$%&'*+.^_`|~\dA-Za-z-]{1,200}$/
const value = /^[\t\x20-\x7e\x80-\xff]*$/

/** Refuses headers of a page that could not be sent with its visits, and says why. */
export function checkPageHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(headers)) {
    if (!token.test(name))
      throw new OptionError('bad-header', `a header cannot be named "${name.slice(0, 200)}"`)
    if (/^user-agent$/i.test(name))
      throw new OptionError(
        'reserved-header',
        'a page may not set the header "user-agent": it names Revisit and the contact, so that servers know whom to ask; leave it out, and set the contact',
      )
    if (reserved.test(name))
      throw new OptionError(
        'reserved-header',
        `a page may not set the header "${name}": each visit sets it itself; leave it out`,
      )
    if (!value.test(text))
      throw new OptionError(
        'bad-header',
        `the header "${name}" cannot be sent as it is: its value may have the characters of ISO 8859-1 and no line break`,
      )
  }
}

/**
 * Whether what is a page's alone, its passwords and cookies, may be sent to
 * `url`: the scheme, host and port of the page's own address, or that host by
 * https where the page is at http. Never less private than the page itself, and
 * never to where it has moved on another host: that is for another to answer.
 */
export function isOwnSite({ url, home }: { readonly url: string; readonly home: string }): boolean {
  const [from, to] = [parsed(home), parsed(url)]
  if (from === null || to === null) return false
  if (from.origin === to.origin) return true
  const upgraded = from.protocol === 'http:' && to.protocol === 'https:'
  return upgraded && to.hostname === from.hostname && to.port === ''
}

/** Null where it is no web address; others have origins that are all alike. */
function parsed(text: string): URL | null {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return null
  return new URL(text)
}
