import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { parseDocument } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { demoOrigin } from '../../../src/lab/demo-web/demo-web.js'
import type { PageTruth } from '../../../src/lab/demo-web/web-truth.js'
import { DAY, HOUR } from '../../../src/model/units.js'
import { ask, openWeb } from './open-web.js'

/** The bytes of an answer as they came. */
async function raw(url: string, headers: Record<string, string>, method = 'GET') {
  const sent = request(url, { method, headers, agent: false }).end()
  const [answer] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return { headers: answer.headers, status: answer.statusCode, body: Buffer.concat(chunks) }
}

/** A plain page of a telling that changed lately but not just now. */
function pageTelling(pages: readonly PageTruth[], tells: string): PageTruth {
  return pages.find((page) => page.tells === tells && page.access === 'plain')!
}

describe('an answer', () => {
  it('is HTML with title, headline, text and links that lead somewhere', async () => {
    const { web } = await openWeb()
    for (const { base, title } of web.sites) {
      const { status, text, header } = await ask(`${base}/`)
      expect(status).toBe(200)
      expect(header('content-type')).toBe('text/html; charset=utf-8')
      expect(text).toContain(`<title>${title}</title>`)
      expect(text.match(/<h1>/g)).toHaveLength(1)
      expect(text.match(/<p>[A-Z][^<]+\.<\/p>/g)!.length).toBeGreaterThanOrEqual(3)
      expect(parseDocument(text).children.length).toBeGreaterThan(0)
      const links = [...text.matchAll(/href="([^"]+)"/g)].map(
        ([, href]) => new URL(href!, base).href,
      )
      expect(links.length).toBeGreaterThan(20)
      const known = new Set([...web.truth().map(({ url }) => url), `${base}/feed.xml`])
      for (const link of links) expect(known).toContain(link)
    }
  })

  it('has the date of the demo', async () => {
    const { web, clock } = await openWeb({ pages: 10 })
    clock.at = Date.UTC(2027, 1, 3, 4, 5, 6) / 1000 + 0.75
    const { header } = await ask(`${web.sites[0]!.base}/`)
    expect(header('date')).toBe('Wed, 03 Feb 2027 04:05:06 GMT')
  })

  it('is zipped where that is accepted, and the same inside', async () => {
    const { web } = await openWeb({ pages: 10 })
    const url = `${web.sites[0]!.base}/`
    const plain = await raw(url, {})
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers.vary).toBe('accept-encoding')
    for (const accepted of ['gzip', 'br, GZIP;q=0.5', 'deflate,gzip']) {
      const zipped = await raw(url, { 'accept-encoding': accepted })
      expect(zipped.headers['content-encoding']).toBe('gzip')
      expect(zipped.body.length).toBeLessThan(plain.body.length)
      expect(gunzipSync(zipped.body)).toEqual(plain.body)
    }
    for (const accepted of ['br', 'gzip;q=0', 'identity'])
      expect((await raw(url, { 'accept-encoding': accepted })).body).toEqual(plain.body)
  })

  it('to HEAD is the head alone', async () => {
    const { web } = await openWeb({ pages: 10 })
    const url = `${web.sites[0]!.base}/`
    const whole = await raw(url, {})
    const head = await raw(url, {}, 'HEAD')
    const { connection, 'keep-alive': _, ...headers } = head.headers
    expect(head.body).toHaveLength(0)
    expect(whole.headers).toMatchObject(headers)
    expect(headers['content-length']).toBe(String(whole.body.length))
  })

  it('is 404 for what is not there, 405 for what is no question', async () => {
    const { web } = await openWeb({ pages: 10 })
    const { base } = web.sites[1]!
    for (const path of ['/no', '/pages/', '/feed.xml', '/%', '/pages/../../etc/passwd'])
      expect((await ask(base + path)).status).toBe(404)
    const posted = await ask(`${base}/`, {}, 'POST')
    expect([posted.status, posted.header('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await ask(`${base}/?utm_source=x`)).status).toBe(200)
  })

  it('survives requests that are no HTTP', async () => {
    const { web } = await openWeb({ pages: 10 })
    const { base } = web.sites[0]!
    for (const bytes of [
      '\0\0\0\r\n\r\n',
      'GET // HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET http:// HTTP/1.1\r\nHost: x\r\n\r\n',
    ]) {
      const socket = connect(Number(new URL(base).port), '127.0.0.1').on('error', () => {})
      socket.end(bytes)
      const [answer] = await once(socket, 'data')
      expect(String(answer)).toMatch(/^HTTP\/1.1 40[04] /)
      socket.destroy()
    }
    expect((await ask(`${base}/`)).status).toBe(200)
  })
})

describe('validators', () => {
  it.each([
    ['ETag and Last-Modified, 304', ['etag', 'last-modified']],
    ['ETag, 304', ['etag']],
    ['Last-Modified, 304', ['last-modified']],
  ])('%s: not modified until the next change', async (tells, names) => {
    const { web, clock } = await openWeb()
    clock.at = demoOrigin + 40 * DAY
    const page = web
      .truth()
      .find((each) => each.tells === tells && each.access === 'plain' && each.changes > 20)!
    const [, before, after] = web.changesBetween(page.url, { from: demoOrigin, to: clock.at })
    clock.at = (before! + after!) / 2
    const first = await ask(page.url)
    expect(['etag', 'last-modified'].filter((name) => first.header(name) !== null)).toEqual(names)
    if (names.includes('last-modified'))
      expect(Date.parse(first.header('last-modified')!) / 1000).toBe(Math.floor(before!))
    const conditions = {
      ...(names.includes('etag') ? { 'if-none-match': `"x", ${first.header('etag')}` } : {}),
      ...(names.includes('last-modified')
        ? { 'if-modified-since': first.header('last-modified')! }
        : {}),
    }
    clock.at = after! - 1e-3
    const same = await ask(page.url, conditions)
    expect([same.status, same.text]).toEqual([304, ''])
    expect(same.header('etag')).toBe(first.header('etag'))
    clock.at = after! + 1e-3
    const changed = await ask(page.url, conditions)
    expect(changed.status).toBe(200)
    expect(changed.text).not.toBe(first.text)
  })

  it('a tag that differs is an answer in full, whatever the date', async () => {
    const { web } = await openWeb()
    const { url } = pageTelling(web.truth(), 'ETag and Last-Modified, 304')
    const since = { 'if-modified-since': 'Fri, 01 Jan 2038 00:00:00 GMT' }
    expect((await ask(url, since)).status).toBe(304)
    expect((await ask(url, { ...since, 'if-none-match': '"other"' })).status).toBe(200)
    expect((await ask(url, { 'if-none-match': '*' })).status).toBe(304)
    expect((await ask(url, { 'if-modified-since': 'yesterday' })).status).toBe(200)
  })

  it.each(['Last-Modified, never a 304', 'nothing'])('%s: always in full', async (tells) => {
    const { web } = await openWeb()
    const { url } = pageTelling(web.truth(), tells)
    const first = await ask(url)
    expect(first.header('etag')).toBeNull()
    expect(first.header('last-modified') === null).toBe(tells === 'nothing')
    const again = await ask(url, { 'if-modified-since': 'Fri, 01 Jan 2038 00:00:00 GMT' })
    expect([again.status, again.text]).toEqual([200, first.text])
  })
})

describe('lying pages', () => {
  it('a date that never moves', async () => {
    const { web, clock } = await openWeb()
    clock.at = demoOrigin + 100 * DAY
    for (const [tells, conditional] of [
      ['a Last-Modified that never moves', 200],
      ['a Last-Modified that never moves, and 304 by it', 304],
    ] as const) {
      const page = web
        .truth()
        .find((each) => each.tells === tells && each.changes > 0 && each.access === 'plain')!
      expect(page.lies).toBe(true)
      clock.at = demoOrigin
      const first = await ask(page.url)
      const date = first.header('last-modified')!
      clock.at = demoOrigin + 100 * DAY
      const later = await ask(page.url)
      expect(later.text).not.toBe(first.text)
      expect(later.header('last-modified')).toBe(date)
      expect((await ask(page.url, { 'if-modified-since': date })).status).toBe(conditional)
    }
  })

  it('a date of now, or any', async () => {
    const { web, clock } = await openWeb()
    const now = pageTelling(web.truth(), 'a Last-Modified of now, always')
    const random = pageTelling(web.truth(), 'a Last-Modified at random')
    const dates = new Set<number>()
    for (let i = 0; i < 20; i++) {
      clock.at = demoOrigin + i * HOUR
      expect(Date.parse((await ask(now.url)).header('last-modified')!) / 1000).toBe(clock.at)
      const date = Date.parse((await ask(random.url)).header('last-modified')!) / 1000
      expect(date).toBeLessThanOrEqual(clock.at)
      dates.add(date)
    }
    expect(dates.size).toBe(20)
  })
})
