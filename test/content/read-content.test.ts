import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ContentAnswer,
  type ContentReading,
  type ReadOptions,
  readContent,
  titleOf,
} from '../../src/content/read-content.js'
import { lastModifiedOf } from '../../src/formats/time/web-dates.js'
import { trackingParameters } from '../../src/formats/url.js'

function answer(
  body: string | Uint8Array,
  headers: Record<string, string> = { 'content-type': 'text/html' },
): ContentAnswer {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return {
    kind: 'content',
    status: 200,
    at: 1.7e9,
    url: 'http://a.test/dir/page',
    headers,
    bytesReceived: bytes.length,
    body: bytes,
  }
}

const read = (
  body: string | Uint8Array,
  headers?: Record<string, string>,
  options?: ReadOptions,
): ContentReading => readContent(answer(body, headers), options)

describe('titleOf', () => {
  it('is the title that the whole page has, whatever follows it', () => {
    const pages = [
      '<title> A &amp; B </title><p>text',
      '<!doctype html><HTML><HEAD><TITLE>Größe\n 1</TITLE></HEAD><body><svg><title>no</title></svg>',
      '<p>no title',
      '<title>without an end',
      '<title></title><title>second</title>',
    ]
    for (const html of pages.slice(0, 3)) expect(titleOf(answer(html))).toBe(read(html).title)
    expect(pages.map((html) => titleOf(answer(html)))).toEqual([
      'A & B',
      'Größe 1',
      null,
      null,
      null,
    ])
    const latin = Buffer.from('<title>Größe</title>', 'latin1')
    const headers = { 'content-type': 'text/html; charset=iso-8859-1' }
    expect(titleOf(answer(latin, headers))).toBe('Größe')
    expect(titleOf(answer('<title>x</title>', { 'content-type': 'text/plain' }))).toBeNull()
  })
})

describe('readContent, of a page', () => {
  it('sees what a reader sees', () => {
    const html = `<!doctype html><title> A &amp; B </title><style>p{}</style><body><h1>Head</h1>
      <p>One <b>two</b>three<br>four &eacute;&#33;</p><script>var x = "<p>no</p>"</script><noscript>no</noscript>
      <template><p>no</p></template><ul><li>five<li>six</ul></body>`
    const { title, text } = read(html)
    expect(title).toBe('A & B')
    expect(text).toBe('Head\nOne twothree\nfour é!\nfive\nsix')
  })

  it('is the same page where only markup, scripts and spaces differ', () => {
    const one = read('<p>Hello  world</p><script>token=1</script>')
    const other = read('<div class="x"><p>\n Hello world</p></div><script>token=2</script>')
    expect(one.fingerprint).toBe(other.fingerprint)
    expect(read('<p>Hello, world</p>').fingerprint).not.toBe(one.fingerprint)
  })

  it('compares by its bytes a page that shows nothing', () => {
    const app = (token: number) =>
      read(`<div id=app></div><script src="/app.${token}.js"></script>`).fingerprint
    expect(app(1)).toBe(app(1))
    expect(app(1)).not.toBe(app(2))
  })

  it('gathers links where asked', () => {
    const html = `<a href="x?utm_source=q&a=1#f">x</a><a rel="ugc nofollow" href="/y">y</a><a href="/y">y</a><a href="mailto:a@b">m</a>
      <base href="http://b.test/"><a href="z">z</a><base href="http://c.test/"><a rel=nofollow href="w">w</a><script><a href="/no"></script>`
    expect(read(html).links).toEqual([])
    expect(read(html, undefined, { links: true, without: trackingParameters }).links).toEqual([
      { url: 'http://a.test/dir/x?a=1', nofollow: false },
      { url: 'http://a.test/y', nofollow: false },
      { url: 'http://b.test/z', nofollow: false },
      { url: 'http://b.test/w', nofollow: true },
    ])
  })

  it.each([
    ['<meta name="robots" content="noindex">', '', true, false],
    ['<META NAME=Robots CONTENT="None">', '', true, true],
    ['<meta name="revisit" content="nofollow, noarchive">', '', false, true],
    ['<meta name="googlebot" content="noindex">', '', false, false],
    ['', 'noindex, nofollow', true, true],
    ['', 'otherbot: noindex, nofollow', false, false],
    ['', 'otherbot: noindex, revisit: nofollow', false, true],
    ['', 'unavailable_after: 25 Jun 2010 15:00:00 PST, noindex', true, false],
    ['<meta name="robots" content="nofollow">', 'noindex', true, true],
  ])('respects %s %s', (html, header, noindex, nofollow) => {
    const headers = { 'content-type': 'text/html', 'x-robots-tag': header }
    expect(read(`${html}<p>x</p>`, headers).robots).toEqual({ noindex, nofollow })
  })

  it('tells the named meta tags, within bounds', () => {
    const { metas } = read(
      '<META NAME=" Change-Frequency " content="3 &amp; WEEK"><meta charset=utf-8><meta name=robots>',
    )
    expect(metas).toEqual([
      { name: 'change-frequency', content: '3 & WEEK' },
      { name: 'robots', content: '' },
    ])
    const many = read(`<meta name=a content="${'x'.repeat(5000)}">`.repeat(1000)).metas
    expect(many).toHaveLength(100)
    expect(many[0]!.content).toHaveLength(1000)
  })

  it('reads 10 MB and a depth of 100,000', () => {
    const deep = `${'<div>'.repeat(100_000)}deep${'</div>'.repeat(100_000)}`
    expect(read(deep).text).toBe('deep')
    expect(read('<b>'.repeat(1_000_000)).text).toBe('')
    expect(read(`<p>${'word '.repeat(2_000_000)}</p>`).text?.length).toBe(9_999_999)
    expect(read('&#32;'.repeat(1_000_000)).text).toBe('')
    expect(
      read(`<a href="/${'x'.repeat(50)}">`.repeat(100_000), undefined, { links: true }).links
        .length,
    ).toBe(1)
    const many = Array.from({ length: 50_000 }, (_, i) => `<a href="/${i}">`).join('')
    expect(read(many, undefined, { links: true }).links.length).toBe(5000)
  })

  it('reads whatever bytes come', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom(
          'text/html',
          'text/html; charset=gb18030',
          'text/plain; charset=utf-16',
          'image/png',
          '',
        ),
        (bytes, type) => {
          const date = String.fromCharCode(...bytes.slice(0, 30))
          const headers = { 'content-type': type, 'last-modified': date }
          const got = read(bytes, headers, { links: true })
          expect(got.fingerprint).toMatch(/^[0-9a-f]{64}$/)
          expect(lastModifiedOf(headers, { now: 1.7e9 })).not.toBeNaN()
        },
      ),
      { seed: 64, numRuns: 300 },
    )
  })
})

describe('readContent, of other things', () => {
  it.each([
    ['text/html; charset=iso-8859-1', [0xe9], 'windows-1252', 'é'],
    ['text/html; charset="UTF-8"', [0xc3, 0xa9], 'utf-8', 'é'],
    ['text/html', [0xef, 0xbb, 0xbf, 0xc3, 0xa9], 'utf-8', 'é'],
    ['text/html; charset=utf-8', [0xff, 0xfe, 0xe9, 0x00], 'utf-16le', 'é'],
    ['text/html', [0xe9], 'windows-1252', 'é'],
    ['text/html; charset=klingon', [0xc3, 0xa9], 'utf-8', 'é'],
    ['text/html; charset=utf-8', [0xe9], 'utf-8', '\ufffd'],
  ])('takes the encoding of %s %j', (type, bytes, charset, text) => {
    expect(read(Uint8Array.from(bytes), { 'content-type': type })).toMatchObject({ charset, text })
  })

  it.each([
    ['', '<!doctype html><p>żółw</p>', 'html', 'żółw'],
    ['', '\n<html><p>żółw</p>', 'html', 'żółw'],
    ['text/html', '<p>żółw</p>', 'html', 'żółw'],
    ['application/json', '{"a":"żółw"}', 'text', '{"a":"żółw"}'],
    ['application/xml', '<?xml version="1.0"?><a>ż</a>', 'text', '<?xml version="1.0"?><a>ż</a>'],
  ])('knows UTF-16 without a mark, of type "%s": %j', (type, content, kind, text) => {
    const little = new Uint8Array(Buffer.from(content, 'utf16le'))
    const big = new Uint8Array(Buffer.from(little).swap16())
    const marked = new Uint8Array([0xff, 0xfe, ...little])
    for (const body of [little, big, marked])
      expect(read(body, { 'content-type': type })).toMatchObject({ kind, text })
    expect(read(Uint8Array.of(0x3c, 0, 0, 0), { 'content-type': type }).kind).toBe('binary')
  })

  it('takes the encoding that a page tells of itself', () => {
    const page = (head: string) => read(Buffer.from(`${head}\xe9`, 'latin1'))
    expect(page('<meta charset="koi8-r">').text).toBe('И')
    expect(
      page('<meta http-equiv=content-type content="text/html; charset=windows-1251">').text,
    ).toBe('й')
    expect(page('<?xml version="1.0" encoding="ISO-8859-5"?>').text).toBe('щ')
    expect(page('<meta charset="utf-16">').charset).toBe('utf-8')
    expect(page(`${'x'.repeat(1100)}<meta charset="koi8-r">`).charset).toBe('windows-1252')
  })

  it('tells text from what only calls itself so', () => {
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13)
    expect(read(png)).toMatchObject({ kind: 'binary', text: null, charset: null })
    expect(read('{"a":1}', { 'content-type': 'application/json' })).toMatchObject({
      kind: 'text',
      text: '{"a":1}',
    })
    expect(read('<rss/>', { 'content-type': 'application/rss+xml' })).toMatchObject({
      kind: 'text',
      text: '<rss/>',
    })
    expect(read('<html><p>x', {})).toMatchObject({ kind: 'html', text: 'x' })
    expect(read('plain', {})).toMatchObject({ kind: 'text', text: 'plain' })
    expect(read('x', { 'content-type': 'application/pdf' }).kind).toBe('binary')
  })

  it('reads the dates of the server', () => {
    const date = (text: string) => lastModifiedOf({ 'last-modified': text }, { now: 1.7e9 })
    expect(date('Tue, 14 Nov 2023 22:00:00 GMT')).toBe(1699999200)
    expect(date('Tue, 14 Nov 2023 22:00:00 +0000')).toBe(1699999200)
    expect(date('0')).toBeNull()
  })
})
