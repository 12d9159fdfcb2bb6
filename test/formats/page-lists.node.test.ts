import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { carriedPages } from '../../src/crawler/incoming/carried-pages.js'
import { readPageList } from '../../src/formats/page-lists/read-page-list.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => {
  const list = readPageList(bytes(text))
  return list === null ? null : { kind: list.kind, ...carriedPages(list) }
}

/** Jobs with the directives and filters of https://urlwatch.readthedocs.io: 50, each of a kind that comes back. */
const jobs = Array.from({ length: 50 }, (_, i) => {
  const url = `https://example.org/${i}`
  return [
    `name: Job ${i}\nurl: ${url}`,
    `url: ${url}\nfilter:\n  - css: main .price\n  - html2text\n  - strip`,
    `url: ${url}\nfilter:\n  - css:\n      selector: article\n      exclude: .share\n  - delete_lines_containing: "Views: 7"\n  - re.sub: '\\d+ online'`,
    `navigate: ${url}\nfilter:\n  - element-by-id: "content"\n  - element-by-class: news\n  - element-by-tag: h1`,
    `url: ${url}\nheaders:\n  User-Agent: x\n  Authorization: Basic abc\ncookies:\n  a: b\nmax_tries: 3`,
    `command: date`,
    `url: ${url}\nfilter:\n  - xpath: //div\n  - shellpipe: "grep x"\n  - keep_lines_containing: now`,
    `url: ${url}\nmethod: POST\ndata:\n  q: x`,
    `url: ${url}\nfilter: html2text,grepi:^Ads`,
    `url: ${url}\nssl_no_verify: true\nhttp_proxy: http://p:1\ndiff_filter:\n  - grep: "^[+]"`,
  ][i % 10]!
})

describe('jobs of urlwatch', () => {
  const list = read(jobs.join('\n---\n'))!
  const page = (i: number) => list.pages.find(({ url }) => url === `https://example.org/${i}`)

  it('become pages, but for those that are none', () => {
    expect(list.kind).toBe('urlwatch')
    expect(list.pages).toHaveLength(40)
    expect(page(0)).toEqual({ url: 'https://example.org/0', settings: { title: 'Job 0' } })
  })

  it('keep filters that have an equivalent', () => {
    expect(page(1)!.settings).toEqual({ reading: { select: ['main .price'] } })
    expect(page(2)!.settings).toEqual({
      reading: {
        select: ['article'],
        ignore: ['.share'],
        ignoreLines: ['Views: 7'],
        ignoreText: ['\\d+ online'],
      },
    })
    expect(page(3)!.settings).toEqual({
      browser: true,
      reading: { select: ['[id="content"]', '[class~="news"]', 'h1'] },
    })
    expect(page(8)!.settings).toEqual({ reading: { ignoreLines: ['^Ads'] } })
    expect(page(4)!.settings!.headers).toMatchObject({ authorization: 'Basic abc', cookie: 'a=b' })
  })

  it('say what was not carried over, each by its address', () => {
    const of = (entry: string) =>
      list.left.filter((each) => each.entry === entry).map(({ what }) => what)
    expect(of('job 6')).toEqual(['runs a command; only web pages are watched'])
    expect(of('https://example.org/6')).toEqual([
      'filter xpath: //div',
      'filter shellpipe: grep x',
      'filter keep_lines_containing: now',
    ])
    expect(of('https://example.org/7')).toEqual([
      'sends data or uses another method than GET; pages are only read',
    ])
    expect(of('https://example.org/9')).toEqual([
      'ssl_no_verify has no equivalent',
      'http_proxy has no equivalent',
      'diff_filter has no equivalent',
    ])
    // Each of five: a command, three filters, a method, three directives, and a User-Agent of its own.
    expect(list.left).toHaveLength(5 * (1 + 3 + 1 + 3 + 1))
  })
})

/** Watches with the settings that the API of changedetection.io describes: 50, each of a kind that comes back. */
const watching = Object.fromEntries(
  Array.from({ length: 50 }, (_, i) => {
    const own = [
      { title: 'Plain', tags: ['11111111-1111-4111-8111-111111111111'] },
      {
        include_filters: ['.price', 'xpath://div', 'json:$.a'],
        subtractive_selectors: ['.ads', '//nav'],
      },
      {
        ignore_text: ['visitors (today)', '/\\d+ online/i'],
        trigger_text: ['in stock', '/sold.*/'],
      },
      { fetch_backend: 'html_webdriver', headers: { Cookie: 'a=b' }, notification_muted: true },
      { time_between_check: { weeks: null, days: 1, hours: 6, minutes: null, seconds: null } },
      { method: 'POST', body: 'x=1' },
      { paused: true, proxy: 'socks', notification_urls: ['mailto://a@example.org'] },
      { tag: 'news, daily', css_filter: 'main' },
      {
        processor: 'restock_diff',
        browser_steps: [{ operation: 'Click element', selector: '#ok' }],
      },
      {
        include_filters: ['div:contains("x")[['],
        extract_text: ['/x/'],
        time_between_check: { hours: 1 },
        time_between_check_use_default: true,
      },
    ][i % 10]!
    const id = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`
    return [
      id,
      {
        uuid: id,
        url: `https://example.org/${i}`,
        method: 'GET',
        body: '',
        processor: 'text_json_diff',
        ...own,
      },
    ]
  }),
)
const backup = JSON.stringify({
  watching,
  settings: {
    application: { tags: { '11111111-1111-4111-8111-111111111111': { title: 'Shops' } } },
  },
})

describe('watches of changedetection.io', () => {
  const list = read(backup)!
  const page = (i: number) => list.pages.find(({ url }) => url === `https://example.org/${i}`)

  it('become pages with their settings', () => {
    expect(list.kind).toBe('changedetection.io')
    expect(list.pages).toHaveLength(45)
    expect(page(0)).toEqual({
      url: 'https://example.org/0',
      tags: ['Shops'],
      settings: { title: 'Plain' },
    })
    expect(page(1)!.settings).toEqual({ reading: { select: ['.price'], ignore: ['.ads'] } })
    expect(page(2)!.settings).toEqual({
      reading: { ignoreLines: ['visitors \\(today\\)', '\\d+ online'], appear: ['in stock'] },
    })
    expect(page(3)!.settings).toEqual({ browser: true, headers: { cookie: 'a=b' }, mute: true })
    expect(page(4)!.settings).toEqual({ longest: 30 * 3600 })
    expect(page(7)).toEqual({
      url: 'https://example.org/7',
      tags: ['news', 'daily'],
      settings: { reading: { select: ['main'] } },
    })
    expect(page(9)!.settings).toEqual({})
  })

  it('say what was not carried over', () => {
    const of = (i: number) =>
      list.left.filter(({ entry }) => entry === `https://example.org/${i}`).map(({ what }) => what)
    expect(of(0)).toEqual([])
    expect(of(1)).toEqual([
      expect.stringMatching(/^include filter xpath/),
      expect.stringMatching(/^include filter json/),
      expect.stringMatching(/^remove element \/\/nav/),
    ])
    expect(of(5)).toEqual(['uses another method than GET; pages are only read'])
    expect(of(6)).toEqual([
      'is paused there; here it is watched',
      'notification_urls has no equivalent',
      'proxy has no equivalent',
    ])
    expect(of(8)).toEqual([
      'browser_steps has no equivalent',
      'processor restock_diff has no equivalent',
    ])
    expect(of(9)).toEqual(['extract_text has no equivalent', expect.stringMatching(/^select: /)])
  })

  it('are found in the backup archive', () => {
    const zip = zipOf('backup/url-watches.json', bytes(backup))
    expect(readPageList(zip)?.pages).toHaveLength(45)
    expect(readPageList(zip.subarray(0, 40))).toBe(null)
  })
})

/** By APPNOTE.TXT of PKWARE: one local entry, the directory, its end. */
function zipOf(name: string, content: Uint8Array): Uint8Array {
  const packed = deflateRawSync(content)
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(packed.length, 18)
  local.writeUInt16LE(name.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(packed.length, 20)
  entry.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(30 + name.length + packed.length, 16)
  return Buffer.concat([local, bytes(name), packed, entry, bytes(name), end])
}

describe('other lists', () => {
  it('are bookmarks, whose folders are tags', () => {
    const list = read(`<!DOCTYPE NETSCAPE-Bookmark-file-1>
<TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
<DL><p>
  <DT><H3 ADD_DATE="1">Law &amp; order</H3>
  <DL><p>
    <DT><A HREF="https://example.org/terms?a=1&amp;b=2" ADD_DATE="1">Terms</A>
    <DT><A HREF="javascript:alert(1)">Script</A>
  </DL><p>
  <DT><A HREF="https://example.org/">Home</A>
</DL><p>`)!
    expect(list).toMatchObject({ kind: 'bookmarks', left: [{ entry: 'javascript:alert(1)' }] })
    expect(list.pages).toEqual([
      { url: 'https://example.org/terms?a=1&b=2', tags: ['Law & order'], settings: {} },
      { url: 'https://example.org/', settings: {} },
    ])
  })

  it('are pages files, with options by their names', () => {
    const list = read(`delay: 5s
pages:
  - example.org
  - url: https://example.org/terms
    tags: [law, yearly]
    select: main
    ignore-lines: ['^Views']
    longest: 3600
    colour: red
    policy: no-such-policy
`)!
    expect(list.pages).toEqual([
      { url: 'example.org', settings: {} },
      {
        url: 'https://example.org/terms',
        tags: ['law', 'yearly'],
        settings: { longest: 3600, reading: { select: ['main'], ignoreLines: ['^Views'] } },
      },
    ])
    expect(list.left.map(({ what }) => what)).toEqual([
      'colour is no option of a page',
      expect.stringMatching(/^policy: /),
    ])
  })

  it('are pages files that find further pages, and are compared by pixels', () => {
    const list = read(`pages:
  - url: https://example.org/shop
    browser: true
    compare: pixels
    pixels: 2
  - url: https://example.org/docs
    discover: { depth: 2, pages: 50, include: ['/docs/*'], exclude: [] }
`)!
    expect(list.left).toEqual([])
    expect(list.pages.map(({ settings }) => settings)).toEqual([
      { browser: true, reading: { compare: 'pixels', pixels: 2 } },
      { discover: { depth: 2, pages: 50, include: ['/docs/*'], exclude: [] } },
    ])
  })

  it.each([
    'https://example.org/\nhttps://example.org/b',
    '<urlset/>',
    '{"a": 1}',
    '[1, 2]',
    '',
    'url,group\nhttps://a.example/,x',
    'a: &a [*a]',
  ])('%j is none of these', (text) => {
    expect(readPageList(bytes(text))).toBe(null)
  })

  it('a bomb of aliases is no list', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`).join('\n')}\npages: *h\n`
    expect(() => readPageList(bytes(bomb))).not.toThrow()
  })
})
