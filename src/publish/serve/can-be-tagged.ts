import type { ServerResponse } from 'node:http'

const pageType = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i

/** Whether an answer with this status and these headers would carry a page that can be tagged. */
export function canBeTagged(response: ServerResponse): boolean {
  const header = (name: string) => String(response.getHeader(name) ?? '')
  if (!pageType.test(header('content-type'))) return false
  if (!/^(?:identity)?$/i.test(header('content-encoding').trim())) return false
  if (response.hasHeader('content-range')) return false
  return !/(?:^|,)\s*no-transform\s*(?:,|$)/i.test(header('cache-control'))
}
