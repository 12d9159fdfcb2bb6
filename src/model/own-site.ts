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
