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
      reading: {
        ignoreLines: ['(?i)visitors \\(today\\)', '(?i)\\d+ online'],
        appear: ['in stock'],
      },
    })
    expect(page(3)!.settings).toEqual({ browser: true, headers: { cookie: 'a=b' }, mute: true })
    expect(page(4)!.settings).toEqual({ longest: 30 * 3600 })
    expect(page(7)).toEqual({
      url: 'https://example.org/7',
      tags: ['news', 'daily'],
      settings: { reading: { select: ['main'] } },
    })
    expect(page(6)!.paused).toBe(true)
    expect(page(9)!.settings).toEqual({})
  })

  it('have what their tags and all watches have', () => {
    const one = read(
      JSON.stringify({
        watching: {
          a: { url: 'https://a.example/', tags: ['t'], ignore_text: ['Views'] },
          b: { url: 'source:https://b.example/', fetch_backend: 'html_requests' },
          c: { url: "https://c.example/{% now 'utc' %}" },
        },
        settings: {
          application: {
            fetch_backend: 'html_webdriver',
            global_ignore_text: ['/cookie/'],
            global_subtractive_selectors: ['nav'],
            notification_urls: ['ntfy://x'],
            tags: { t: { title: 'Shops', subtractive_selectors: ['.ad'], ignore_text: ['Views'] } },
          },
        },
      }),
    )!
    const ignoreLines = ['cookie']
    expect(one.pages).toEqual([
      {
        url: 'https://a.example/',
        tags: ['Shops'],
        settings: {
          reading: { ignore: ['.ad', 'nav'], ignoreLines: ['(?i)Views', ...ignoreLines] },
          browser: true,
        },
      },
      {
        url: 'https://b.example/',
        settings: { reading: { compare: 'bytes', ignore: ['nav'], ignoreLines } },
      },
    ])
    expect(one.left).toEqual([
      {
        entry: 'settings of all pages',
        what: 'notification_urls has no equivalent in a list of pages',
      },
      {
        entry: "https://c.example/{% now 'utc' %}",
        what: 'has a template in its address, and was not taken',
      },
    ])
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
    expect(of(6)).toEqual(['notification_urls has no equivalent', 'proxy has no equivalent'])
    expect(of(8)).toEqual([
      'browser_steps has no equivalent',
      'processor restock_diff: price and stock are conditions of a channel of notifications',
    ])
    expect(of(9)).toEqual(['extract_text has no equivalent', expect.stringMatching(/^select: /)])
  })

  it('are found in the backup archive', () => {
    const zip = zipOf({ 'backup/url-watches.json': backup })
    expect(readPageList(zip)?.pages).toHaveLength(45)
    expect(readPageList(zip.subarray(0, 40))).toBe(null)
    expect(readPageList(zipOf({ 'secret.txt': 'x' }))).toBe(null)
    expect(readPageList(zip.fill(255, 60, 80))).toBe(null)
  })

  it('are found in a backup of 2026, a file for each watch and tag', () => {
    const id = '22222222-2222-4222-8222-222222222222'
    const tag = '11111111-1111-4111-8111-111111111111'
    const zip = zipOf({
      'url-list.txt': 'https://a.example/',
      'changedetection.json': JSON.stringify({
        settings: { application: { global_ignore_text: ['Views'] } },
      }),
      [`${tag}/tag.json`]: JSON.stringify({ title: 'Shops', include_filters: ['main'] }),
      [`${id}/history.txt`]: '1,a.txt',
      [`${id}/watch.json`]: JSON.stringify({ url: 'https://a.example/', tags: [tag] }),
    })
    expect(readPageList(zip)).toEqual({
      kind: 'changedetection.io',
      pages: [
        {
          url: 'https://a.example/',
          tags: ['Shops'],
          settings: { reading: { select: ['main'], ignoreLines: ['(?i)Views'] } },
        },
      ],
      left: [],
    })
  })
})

/** By APPNOTE.TXT of PKWARE: local entries, the directory, its end. */
function zipOf(files: Readonly<Record<string, string>>): Uint8Array {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
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
    entry.writeUInt32LE(at, 42)
    locals.push(local, Buffer.from(name), packed)
    directory.push(entry, Buffer.from(name))
    at += local.length + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, ...directory, end])
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
