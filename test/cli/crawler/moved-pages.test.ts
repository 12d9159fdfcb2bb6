import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
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
      // The noise re-check is a request too.
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

  it('waits for its new host, and its own host goes on', async () => {
    const other = await otherHost()
    const site = await crawledSite({
      '/robots.txt': { body: 'User-agent: *\nDisallow: /secret\n' },
      '/moved': { status: 301, headers: { location: `${other.base}/x` } },
      '/stays': { body: '<p>here</p>' },
    })
    const { base, revisit, makeDue, requests, folder } = site
    await revisit(['watch', `${base}/moved`, `${base}/stays`, `${other.base}/1`, `${other.base}/2`])
    // By hand: robots.txt, /x, /1 and /2 of the other host; robots.txt, /moved and /stays of this one.
    const budget = ['--host-requests-per-day', '4', '--concurrency', '1']
    await revisit(['run', '--once', ...budget])
    expect(other.sent).toHaveLength(4)
    await makeDue()
    await revisit(['run', '--once', ...budget])
    expect(other.sent).toHaveLength(4)
    expect(requests.map(({ url }) => url).sort()).toEqual([
      '/moved',
      '/robots.txt',
      '/stays',
      '/stays',
    ])
    const store = await openSqliteStore({ path: join(folder, 'revisit.db') })
    const { host } = new URL(base)
    const record = await store.getHost(host)
    await store.close()
    expect(record).toMatchObject({ blockedUntil: null, state: { host } })
    expect(JSON.stringify(record!.state)).toContain('/secret')
    const { due } = JSON.parse((await revisit(['show', `${base}/moved`, '--json'])).out)
    expect(due.at).toBeGreaterThan(Date.now() / 1000)
    expect(due.reason).toBe(`it has moved to ${new URL(other.base).host}, which rests until then`)
  })

  it('is asked for at its own address again when it is gone from the new one', async () => {
    const site = await crawledSite({
      '/home': { status: 301, headers: { location: '/target' } },
      '/target': { body: '<p>moved</p>', headers: { etag: '"1"' } },
    })
    const { base, revisit, makeDue, pages, requests } = site
    await revisit(['watch', `${base}/home`])
    const visited = async () => {
      await makeDue()
      requests.length = 0
      await revisit(['run', '--once'])
      const { movedTo, lastVisit } = JSON.parse(
        (await revisit(['show', `${base}/home`, '--json'])).out,
      )
      return [requests.map(({ url }) => url).join(' '), lastVisit.outcome, movedTo]
    }
    const target = `${base}/target`
    expect(await visited()).toEqual(['/robots.txt /home /target', 'first', target])
    expect(await visited()).toEqual(['/target', 'unchanged', target])
    delete pages['/target']
    expect(await visited()).toEqual(['/target', 'gone', target])
    // It still leads there: nothing is forgotten, and the two take turns.
    expect(await visited()).toEqual(['/home /target', 'gone', target])
    expect(await visited()).toEqual(['/target', 'gone', target])
    pages['/home'] = { body: '<p>back at home</p>' }
    expect(await visited()).toEqual(['/home', 'changed', null])
    expect(await visited()).toEqual(['/home', 'unchanged', null])
  })
})
