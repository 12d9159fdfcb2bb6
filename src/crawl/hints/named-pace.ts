import { DAY, type Declared, HOUR, type Seconds } from '../../model/index.js'

/** sitemaps.org/protocol.html, changefreq; `always` is as often as anybody looks. */
const paces: ReadonlyMap<string, Seconds> = new Map([
  ['always', HOUR],
  ['hourly', HOUR],
  ['daily', DAY],
  ['weekly', 7 * DAY],
  ['monthly', 30 * DAY],
  ['yearly', 365 * DAY],
])

/** What the changefreq of a sitemap declares; null for words that it does not have. */
export function namedPace(word: string): Declared | null {
  const name = word.slice(0, 100).trim().toLowerCase()
  if (name === 'never') return { kind: 'static' }
  const period = paces.get(name)
  return period === undefined ? null : { kind: 'periodic', period }
}
