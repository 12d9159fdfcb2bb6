import { feedOf } from '../feed/feed-of.js'
import type { Sitemap, SitemapEntry } from './sitemap.js'

/** A feed as a sitemap: its items' addresses. Null where it is no feed. */
export function feedSitemap(text: string): Sitemap | null {
  const feed = feedOf(text)
  if (feed === null) return null
  const entries = feed.items.flatMap((item): SitemapEntry[] => {
    const url = item.link ?? (/^https?:\/\//.test(item.id ?? '') ? item.id : null)
    if (url === null) return []
    const lastModified = item.updated ?? item.published
    return [{ url, lastModified, changeFrequency: null, priority: null }]
  })
  return { kind: 'pages', form: 'feed', entries }
}
