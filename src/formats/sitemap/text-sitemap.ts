import { quotedText } from '../bytes/shown.js'
import { type Refusal, refusal } from '../refusal.js'
import { Problems } from '../visits/problems.js'
import type { Sitemap, SitemapEntry } from './sitemap.js'

/**
 * A list of addresses, one a line; lines that begin with # are remarks. Lines
 * that are no address are told by number and reason. Null where none is one.
 */
export function textSitemap(text: string): Sitemap | null {
  const entries: SitemapEntry[] = []
  const problems = new Problems()
  for (const [i, each] of text.split(/\r\n|\r|\n/).entries()) {
    const line = each.trim()
    if (line === '' || line.startsWith('#')) continue
    const refused = refusalOf(line)
    if (refused !== null) problems.add(i + 1, refused)
    else entries.push({ url: line, lastModified: null, changeFrequency: null, priority: null })
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
