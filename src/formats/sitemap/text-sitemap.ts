import { quotedText } from '../bytes/shown.js'
import { type Refusal, refusal } from '../refusal.js'
import { Problems } from '../visits/problems.js'
import type { Sitemap, SitemapEntry } from './sitemap.js'

/**
 * A list of addresses, one a line; lines that begin with # are remarks. Lines
 * that are no address are told by number and reason. Null where none is one.
 */
export function textSitemap(text: string): Sitemap | null {
  const lines = text.split(/\r\n|\r|\n/)
  return listed(lines.map((each, i) => ({ line: i + 1, text: each })))
}

/** The same for the addresses of one column. */
export function listed(lines: Iterable<{ line: number; text: string }>): Sitemap | null {
  const entries: SitemapEntry[] = []
  const problems = new Problems()
  for (const { line, text } of lines) {
    const url = text.trim()
    if (url === '' || url.startsWith('#')) continue
    const refused = refusalOf(url)
    if (refused !== null) problems.add(line, refused)
    else entries.push({ url, lastModified: null, changeFrequency: null, priority: null })
  }
  if (entries.length === 0) return null
  return { kind: 'pages', form: 'text', entries, ...(problems.total > 0 && { problems }) }
}

function refusalOf(line: string): Refusal | null {
  if (!/^https?:/i.test(line))
    return refusal(
      'no-web-address',
      () => `${quotedText(line)} does not begin with https:// or http://; write the whole address`,
    )
  if (/\s/.test(line))
    return refusal(
      'space-in-address',
      () => `${quotedText(line)} has a space in it; write one address a line, and %20 for a space`,
    )
  if (/^https?:\/\/./i.test(line) && URL.canParse(line)) return null
  return refusal(
    'bad-address',
    () => `${quotedText(line)} is no address: what names the host is wrong`,
  )
}
