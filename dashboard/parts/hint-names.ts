/** Kinds of hints as people know them. */
export const hintNames: Readonly<Record<string, string>> = {
  meta: 'Change-Frequency tag',
  sitemap: 'lastmod of a sitemap',
  changefreq: 'changefreq of a sitemap',
  feed: 'dates of a feed',
  'last-modified': 'Last-Modified',
  cache: 'how long caches may keep it',
}
