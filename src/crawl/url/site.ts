/** The scheme, host and port of a page: what robots.txt and politeness are about. Undefined if it is no web address. */
export function originOf(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.host === '')
    return undefined
  return parsed.origin
}

/** Where the robots.txt of a page is. RFC 9309, 2.3. */
export function robotsUrl(url: string): string | undefined {
  const origin = originOf(url)
  return origin === undefined ? undefined : `${origin}/robots.txt`
}

/**
 * The server that politeness is about: host and port, whatever the scheme, so
 * that http and https of one site share one delay. Undefined if it is no web
 * address.
 */
export function hostOf(url: string): string | undefined {
  return originOf(url) === undefined ? undefined : new URL(url).host
}
