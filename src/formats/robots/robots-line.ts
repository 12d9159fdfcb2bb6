export type RobotsKey = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap' | 'other'

export interface RobotsLine {
  readonly key: RobotsKey
  readonly value: string
}

/** Spellings that webmasters use and Google's parser takes too. */
const spellings: ReadonlyArray<readonly [RobotsKey, RegExp]> = [
  ['user-agent', /^user[ -]?agent$/],
  ['allow', /^allow$/],
  ['disallow', /^(?:disallow|dissallow|dissalow|disalow|diasllow|disallaw)$/],
  ['crawl-delay', /^crawl[ -]?delay$/],
  ['sitemap', /^site-?map$/],
]
const bareKey = /^(user[ -]?agent|allow|disallow|crawl[ -]?delay)[ \t]+/i

/**
 * A line of robots.txt; null for an empty line, a comment, or a line that says
 * nothing. Colons left out are forgiven (`colons: false`) only in a file that
 * has none: elsewhere such a line is a slip, and what it meant is not known.
 */
export function robotsLine(
  line: string,
  { colons }: { readonly colons: boolean },
): RobotsLine | null {
  const comment = line.indexOf('#')
  const text = (comment === -1 ? line : line.slice(0, comment)).trim()
  if (!colons) return bareLine(text)
  const colon = text.indexOf(':')
  if (colon === -1) return null
  return { key: keyOf(text.slice(0, colon).trim()), value: text.slice(colon + 1).trim() }
}

function bareLine(text: string): RobotsLine | null {
  const bare = bareKey.exec(text)
  return bare === null ? null : { key: keyOf(bare[1]!), value: text.slice(bare[0].length).trim() }
}

function keyOf(name: string): RobotsKey {
  if (name.length > 20) return 'other'
  const lower = name.toLowerCase()
  return spellings.find(([, spelling]) => spelling.test(lower))?.[0] ?? 'other'
}
