import { describe, expect, it } from 'vitest'
import { readContent } from '../../src/content/read-content.js'
import { lastModifiedOf } from '../../src/formats/time/web-dates.js'
import { webHostOf } from '../../src/formats/url.js'
import { VirtualClock } from '../fixtures/clocks.js'
import { localServer } from '../fixtures/local-server.js'
import { localFetcher } from './local-fetcher.js'
import { politeVisits } from './polite-site.js'

const MB = 1 << 20

/** Fetches and reads a content as a visit would. */
async function visit(body: string | Buffer, headers: Record<string, string> = {}) {
  const url = await localServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body),
  )
  const answer = await localFetcher({ limits: { bodyBytes: 16 * MB, wholeTime: 10 } }).fetch({
    url,
  })
  if (answer.kind !== 'content') throw new Error(JSON.stringify(answer))
  const lastModified = lastModifiedOf(answer.headers, { now: answer.at })
  return { ...readContent(answer, { links: true }), lastModified }
}

describe('a content that', () => {
  it('is 10 MB of HTML', async () => {
    const { text } = await visit('<p>word <a href="/x">link</a></p>\n'.repeat(300_000))
    expect(text?.length).toBe(300_000 * 'word link\n'.length - 1)
  })

  it('is 100,000 elements deep', async () => {
    const { text } = await visit(`${'<div><p><b>'.repeat(33_334)}deep`)
    expect(text).toBe('deep')
  })

  it('is one tag of 10 MB', async () => {
    expect((await visit(`<p ${'a="b" '.repeat(1_700_000)}>x</p>`)).text).toBe('x')
    expect((await visit(`<${'a'.repeat(5 * MB)}`)).text).toBe('')
  })

  it('is binary called HTML', async () => {
    const noise = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 256))
    expect(await visit(noise)).toMatchObject({ kind: 'binary', text: null })
  })

  it.each([
    'klingon',
    '',
    'utf-7',
    'x-user-defined',
    'replacement',
    '"'.repeat(100),
    'utf-8; charset=latin1',
    'a'.repeat(5000),
  ])('has the encoding %s', async (charset) => {
    const { text, fingerprint } = await visit('<p>h\u00e9llo</p>', {
      'content-type': `text/html; charset=${charset}`,
    })
    expect(text).toMatch(/^h.+llo$/)
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/)
  })

  it('is no text in its own encoding', async () => {
    const { text } = await visit(
      Buffer.from([0x3c, 0x70, 0x3e, 0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
      { 'content-type': 'text/html; charset=utf-8' },
    )
    expect(text).toMatch(/^\ufffd+$/)
  })

  it.each([
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'Fri, 31 Dec 9999 23:59:59 GMT',
    'yesterday',
    '0',
    '-1',
    '\t',
    'Mon, 32 Foo 2024 25:61:61 GMT',
    '9'.repeat(3000),
  ])('was last changed %s', async (date) => {
    const { lastModified } = await visit('x', { 'last-modified': date })
    if (lastModified !== null) expect(lastModified).toBeGreaterThanOrEqual(0)
    expect(lastModified).not.toBeNaN()
  })
})

describe('a robots.txt that', () => {
  async function visitWith(robots: (write: (chunk: string) => boolean) => void) {
    const url = await localServer((request, response) => {
      if (request.url !== '/robots.txt') return response.end('page')
      robots((chunk) => response.write(chunk))
      return response.end()
    })
    const clock = new VirtualClock()
    const { visit, kept } = politeVisits({ clock, fetcher: localFetcher({ clock }) })
    const ask = (path: string) => visit({ url: url + path }, { patience: 3600 })
    return { ask, robots: async () => (await kept(webHostOf(url)!)).robots[url] }
  }

  it('is HTML', async () => {
    const { ask } = await visitWith((write) =>
      write('<!doctype html><html><body><h1>404: Not found</h1></body></html>'),
    )
    expect(await ask('/x')).toMatchObject({ kind: 'answered' })
  })

  it('is 10 MB', async () => {
    const { ask, robots } = await visitWith((write) => {
      write('User-agent: *\nDisallow: /no\n')
      for (let i = 0; i < 160; i++) write('# filler\n'.repeat(7282))
      write('Disallow: /late\n')
    })
    expect((await ask('/no')).kind).toBe('disallowed')
    expect((await ask('/late')).kind).toBe('answered')
    expect((await robots())?.rules).toEqual([{ allow: false, path: '/no' }])
  })

  it('is a wildcard bomb', async () => {
    const { ask } = await visitWith((write) =>
      write(`User-agent: *\n${`Disallow: /${'*a'.repeat(200)}b$\n`.repeat(1000)}`),
    )
    expect((await ask(`/${'a'.repeat(2000)}`)).kind).toBe('answered')
  })

  it('asks for absurd delays', async () => {
    const { ask } = await visitWith((write) => write('User-agent: *\nCrawl-delay: 999999999'))
    const { hosts } = await ask('/x')
    expect(hosts[0]!.nextAllowedAt).toBeLessThan(1.7e9 + 1000)
  })
})
