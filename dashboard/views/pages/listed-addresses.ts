/** Addresses in what a person typed, pasted or dropped: plain lines, CSV, sitemaps, feeds, OPML, bookmarks. */

/** What was found, and in what. */
export interface Listed {
  readonly addresses: readonly string[]
  /** In words, where it was more than lines. */
  readonly from: string | null
}

/** The contents of a file, by what it holds and not by its name. */
export function listedAddresses(text: string): Listed {
  const start = text.trimStart().slice(0, 2000)
  if (/^<!doctype netscape-bookmark/i.test(start)) return bookmarks(text)
  if (/^<\?xml|^<(urlset|sitemapindex|rss|feed|opml|rdf:rdf)\b/i.test(start)) return inXml(text)
  if (/^<(!doctype html|html|dl)\b/i.test(start)) return bookmarks(text)
  return inCsv(text) ?? { addresses: linesIn(text), from: null }
}

/** One address a line; blank lines and lines that begin with # are left out. */
export function linesIn(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim())
  return unique(lines.filter((line) => line !== '' && !line.startsWith('#')).map(withScheme))
}

/** As people write it: `example.org/news` is on the web, and what names a port or this machine is not encrypted. */
function withScheme(address: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(address)) return address
  if (/^(mailto|javascript|data|file|about):/i.test(address) || /\s/.test(address)) return address
  const [host = ''] = address.split(/[/?#]/, 1)
  const local = /^(localhost|[\d.]+|\[.*\])(:\d+)?$/i.test(host) || /:\d+$/.test(host)
  if (!local && !/^[^.]+(\.[^.]+)+$/.test(host)) return address
  return `${local ? 'http' : 'https'}://${address}`
}

function bookmarks(text: string): Listed {
  const root = new DOMParser().parseFromString(text, 'text/html')
  const links = [...root.querySelectorAll('a[href]')].map((each) => each.getAttribute('href')!)
  return { addresses: unique(links.filter(isOfTheWeb)), from: 'bookmarks' }
}

function inXml(text: string): Listed {
  const root = new DOMParser().parseFromString(text, 'text/xml')
  const all = (name: string) => [...root.getElementsByTagNameNS('*', name)]
  const texts = (elements: readonly Element[]) =>
    elements.map((each) => (each.textContent ?? '').trim())
  const name = root.documentElement.localName.toLowerCase()
  if (name === 'urlset' || name === 'sitemapindex')
    return { addresses: unique(texts(all('loc')).filter(isOfTheWeb)), from: 'a sitemap' }
  if (name === 'opml') {
    const outlines = all('outline')
    const urls = outlines.map(
      (each) => each.getAttribute('xmlUrl') ?? each.getAttribute('htmlUrl') ?? '',
    )
    return { addresses: unique(urls.filter(isOfTheWeb)), from: 'OPML' }
  }
  const entries = [...all('item'), ...all('entry')]
  const links = entries.flatMap((entry) => {
    const link = [...entry.getElementsByTagNameNS('*', 'link')].find(
      (each) => (each.getAttribute('rel') ?? 'alternate') === 'alternate',
    )
    return link === undefined ? [] : [link.getAttribute('href') ?? (link.textContent ?? '').trim()]
  })
  return { addresses: unique(links.filter(isOfTheWeb)), from: 'a feed' }
}

/** With a column that is called url; null where there is none. */
function inCsv(text: string): Listed | null {
  const [head = '', ...rows] = text.split(/\r\n|\r|\n/)
  const names = cells(head).map((each) => each.toLowerCase())
  const column = names.indexOf('url')
  if (column < 0 || names.length < 2) return null
  const urls = rows.map((row) => cells(row)[column] ?? '').filter((url) => url !== '')
  return { addresses: unique(urls.map(withScheme)), from: 'a table' }
}

function cells(row: string): string[] {
  return [...row.matchAll(/(?:^|[,;\t])(?:"((?:[^"]|"")*)"|([^",;\t]*))/g)].map(
    ([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
  )
}

function isOfTheWeb(url: string): boolean {
  return /^https?:\/\//i.test(url)
}

function unique(urls: readonly string[]): string[] {
  return [...new Set(urls)]
}
