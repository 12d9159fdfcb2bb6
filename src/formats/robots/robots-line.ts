export type RobotsKey = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap'

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
const bareKey = /^(user[ -]?agent|allow|disallow|crawl[ -]?delay|site-?map)[ \t]+/i

/**
 * A line of robots.txt; null for an empty line, a comment, or a record that is
 * none of ours, which changes nothing around it (RFC 9309, 2.2.4). A colon left
 * out is forgiven where one word follows the key, as in Google's parser: more
 * words are prose, except in a file that has no colon at all (`colons: false`).
 */
export function robotsLine(
  line: string,
  { colons }: { readonly colons: boolean },
): RobotsLine | null {
  const comment = line.indexOf('#')
  const text = (comment === -1 ? line : line.slice(0, comment)).trim()
  const colon = text.indexOf(':')
  const key = colon === -1 ? null : keyOf(text.slice(0, colon).trim())
  if (key !== null) return { key, value: text.slice(colon + 1).trim() }
  const bare = bareKey.exec(text)
  if (bare === null) return null
  const value = text.slice(bare[0].length)
  return colons && /\s/.test(value) ? null : { key: keyOf(bare[1]!)!, value }
}

function keyOf(name: string): RobotsKey | null {
  if (name.length > 20) return null
  const lower = name.toLowerCase()
  return spellings.find(([, spelling]) => spelling.test(lower))?.[0] ?? null
}
