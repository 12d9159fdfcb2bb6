import type { Sitemap } from './sitemap.js'

/** A list of addresses, one a line. Null where no line is an address. */
export function textSitemap(text: string): Sitemap | null {
  const entries = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => /^https?:\/\/\S+$/i.test(line))
    .map((url) => ({ url, lastModified: null, changeFrequency: null, priority: null }))
  return entries.length === 0 ? null : { kind: 'pages', form: 'text', entries }
}
