/** Names of parameters that tell visitors apart and never pages. */
export const sessionParameters: ReadonlySet<string> = new Set([
  'phpsessid',
  'jsessionid',
  'sessionid',
  'session_id',
  'session-id',
  'sessid',
  'sid',
  'aspsessionid',
  'cfid',
  'cftoken',
  'zenid',
  'oscsid',
])

const limits = { length: 500, segments: 12, parameters: 6, sameSegment: 2, yearsAhead: 1 }

/** An address without the session that stands in its path: `/a;jsessionid=1F`. */
export function withoutSession(url: string): string {
  return url.replace(/;jsessionid=[^/?]{0,200}/gi, '')
}

/**
 * Whether an address looks made up by a machine without end: very long or
 * deep, one folder over and over, many parameters, or a calendar beyond next
 * year. Such pages are not found, though they may be watched by name.
 */
export function looksEndless(url: string, { year }: { readonly year: number }): boolean {
  if (url.length > limits.length) return true
  const { pathname, search } = new URL(url)
  const segments = pathname.split('/').filter((each) => each !== '')
  if (segments.length > limits.segments || repeats(segments)) return true
  if (search.split('&').length > limits.parameters) return true
  return beyond(`${pathname}${search}`, year + limits.yearsAhead)
}

function repeats(segments: readonly string[]): boolean {
  const counts = new Map<string, number>()
  for (const each of segments) counts.set(each, (counts.get(each) ?? 0) + 1)
  return [...counts.values()].some((count) => count > limits.sameSegment)
}

/** A year that stands by itself and lies ahead, before 2100: other numbers are no years. */
function beyond(text: string, year: number): boolean {
  for (const [, found] of text.matchAll(/(?<!\d)(2[01]\d\d)(?!\d)/g))
    if (Number(found) > year) return true
  return false
}

/** Addresses alike but for their numbers have one shape. */
export function shapeOf(url: string): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`.replace(/\d+/g, '#').slice(0, 120)
}
