import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, it } from 'vitest'
import { crawledSite } from '../../fixtures/crawled-site.js'
import { localServer } from '../../fixtures/local-server.js'

/** Another host of loopback; it keeps what it was sent, and tells something new each time. */
async function otherHost() {
  const sent: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = []
  const base = await localServer((request, response) => {
    sent.push({ url: request.url!, headers: request.headers })
    if (request.url === '/robots.txt') return response.writeHead(404).end()
    response.setHeader('content-type', 'text/html')
    response.setHeader('etag', `"${sent.length}"`)
    response.end(`<p>number ${sent.length}</p>`)
  }, '127.0.0.2')
  return { base, sent }
}

describe('a page that has moved for good', () => {
  it('keeps its password and cookies to its own site, at every visit', async () => {
    const other = await otherHost()
    const site = await crawledSite({
      '/p': { status: 308, headers: { location: `${other.base}/x` } },
    })
    const { base, revisit, makeDue } = site
    const own = ['--auth', 'me:secret', '--header', 'Cookie: a=b', 'X-Key: k']
    await revisit(['watch', `${base}/p`, ...own])
    for (let visit = 0; visit < 4; visit++) {
      await makeDue()
      // The second look, which tells noise from change, is a request too.
      expect(
        (await revisit(['run', '--once'], { env: { REVISIT_NOISE_WAIT: '0.01s' } })).code,
      ).toBe(0)
    }
    const shown = JSON.parse((await revisit(['show', `${base}/p`, '--json'])).out)
    expect(shown).toMatchObject({ visits: 4, movedTo: `${other.base}/x` })
    expect(site.requests.at(-1)!.headers).toMatchObject({ cookie: 'a=b', 'x-key': 'k' })
    const asked = other.sent.filter(({ url }) => url === '/x')
    expect(asked.length).toBeGreaterThan(3)
    for (const { headers } of asked)
      for (const name of ['authorization', 'cookie', 'x-key'])
        expect(headers).not.toHaveProperty(name)
    // What that host itself told may be sent back to it.
    expect(asked.some(({ headers }) => 'if-none-match' in headers)).toBe(true)
  })

  it('sends them on where it has moved within its site', async () => {
    const site = await crawledSite({
      '/p': { status: 301, headers: { location: '/new' } },
      '/new': { body: '<p>here</p>' },
    })
    const { base, revisit, makeDue, requests } = site
    await revisit(['watch', `${base}/p`, '--header', 'Cookie: a=b'])
    for (let visit = 0; visit < 2; visit++) {
      await makeDue()
      await revisit(['run', '--once'])
    }
    const asked = requests.filter(({ url }) => url !== '/robots.txt')
    expect(asked.map(({ url }) => url)).toEqual(['/p', '/new', '/new'])
    for (const { headers } of asked) expect(headers.cookie).toBe('a=b')
  })
})
