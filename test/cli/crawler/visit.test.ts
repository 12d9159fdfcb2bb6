import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { type CrawledSite, crawledSite, type SitePage } from '../../fixtures/crawled-site.js'

/** A site whose pages were all visited, so that none is due. */
async function visitedSite(pages: Record<string, SitePage>): Promise<CrawledSite> {
  const site = await crawledSite(pages)
  const addresses = Object.keys(pages).filter((each) => each !== '/robots.txt')
  await site.revisit(['watch', '--no-noise-check', ...addresses.map((each) => site.base + each)])
  await site.revisit(['run', '--once'])
  site.requests.length = 0
  return site
}

const asked = ({ requests }: CrawledSite) => requests.map(({ url }) => url)

async function inStore(
  { folder }: CrawledSite,
  task: (store: Awaited<ReturnType<typeof openSqliteStore>>) => Promise<unknown>,
): Promise<void> {
  const store = await openSqliteStore({ path: join(folder, 'revisit.db') })
  await task(store)
  await store.close()
}

/** Another process holds the page /a, from the time that is told. */
async function heldElsewhere(site: CrawledSite, { ttl }: { ttl: number }): Promise<number> {
  const now = Date.now() / 1000
  const pages = [{ collection: 'default', url: `${site.base}/a` }]
  await inStore(site, (store) => store.leasePages({ pages, now, ttl, worker: 'elsewhere:1' }))
  return now
}

describe('revisit show', () => {
  it('says why a page that is due is not visited: its host rests, whose robots.txt could not be had', async () => {
    const robots = { status: 503, headers: { 'retry-after': '3600' } }
    const site = await crawledSite({ '/robots.txt': robots, '/a': { body: 'a' } })
    const { base, revisit } = site
    await revisit(['watch', `${base}/a`])
    expect((await revisit(['show', `${base}/a`])).out).not.toContain('waits')
    await revisit(['run', '--once'])
    const { out } = await revisit(['show', `${base}/a`])
    expect(out).toMatch(/next visit +due since/)
    expect(out).toMatch(
      /waits +its host rests until .* \(in .*\): its robots\.txt could not be had/,
    )
  })
})

describe('revisit visit', () => {
  it('visits the pages that are named and no other, due or not, and says what came of it', async () => {
    const site = await visitedSite({
      '/a': { body: 'a' },
      '/b': { body: 'b' },
      '/c': { body: 'c' },
    })
    const { base, revisit, pages } = site
    pages['/a'] = { body: 'another text' }
    const { code, out, err } = await revisit(['visit', `${base}/b#part`, `${base}/a`, `${base}/b`])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(asked(site).sort()).toEqual(['/a', '/b'])
    const lines = out.trimEnd().split('\n').sort()
    expect(lines).toHaveLength(2)
    expect(out).toMatch(
      / changed {4}200 {3}http\S+\/a {2}12 bytes in .*; next in .*: (?:changed at the|new, and changed at each)/,
    )
    expect(out).toMatch(
      / unchanged {2}200 {3}http\S+\/b {2}1 byte in .*; next in .*: unchanged at /,
    )
    const page = JSON.parse((await revisit(['show', `${base}/a`, '--json'])).out)
    expect(page).toMatchObject({ visits: 2, changes: 1, lastVisit: { outcome: 'changed' } })
    // The lease is given back with the report: it can be visited again at once.
    expect((await revisit(['visit', `${base}/a`])).code).toBe(0)
  })

  it('visits a new page before it was ever run, with its noise re-check', async () => {
    const site = await crawledSite({ '/a': { body: '<p>a</p>' } })
    await site.revisit(['watch', `${site.base}/a`])
    const { code, out } = await site.revisit(['visit', `${site.base}/a`])
    expect(code).toBe(0)
    expect(out).toMatch(/first {6}200/)
    expect(asked(site)).toContain('/robots.txt')
    expect((await site.revisit(['run', '--once'])).err).toContain('0 visits')
  })

  it('tells a program in the order asked, and ends with 1 where one failed or was refused', async () => {
    const site = await crawledSite({
      '/robots.txt': { body: 'User-agent: *\nDisallow: /secret\n' },
      '/a': { body: 'a' },
      '/secret': { body: 's' },
      '/gone': { status: 410 },
    })
    const urls = ['/secret', '/gone', '/a'].map((each) => site.base + each)
    await site.revisit(['watch', '--no-noise-check', ...urls])
    const { code, out } = await site.revisit(['visit', '--json', ...urls])
    expect(code).toBe(1)
    const [secret, gone, a] = JSON.parse(out)
    expect(secret).toMatchObject({ url: urls[0], outcome: 'refused', fault: 'robots' })
    expect(gone).toMatchObject({ url: urls[1], outcome: 'gone', status: 410 })
    expect(a).toMatchObject({ url: urls[2], outcome: 'first', status: 200, bytes: 1 })
    expect(a.due.reason).toMatch(/^new; /)
    expect(asked(site)).not.toContain('/secret')
    expect((await site.revisit(['visit', urls[1]!, urls[2]!])).code).toBe(0)
    site.pages['/a'] = { status: 500 }
    const failed = await site.revisit(['visit', urls[2]!])
    expect(failed.code).toBe(1)
    expect(failed.out).toMatch(/failed +server-error 500 .*: the server failed with status 500;/)
  })

  it('refuses what is not watched, or no longer, before anything is asked for', async () => {
    const site = await visitedSite({ '/a': { body: 'a' }, '/b': { body: 'b' } })
    const { base, revisit } = site
    const unknown = await revisit(['visit', `${base}/a`, `${base}/x`])
    expect(unknown.code).toBe(2)
    expect(unknown.err).toContain(`${base}/x is not watched`)
    expect(unknown.err).toContain(`revisit watch ${base}/x`)
    await revisit(['unwatch', '--keep', `${base}/b`])
    const kept = await revisit(['visit', `${base}/b`])
    expect(kept.code).toBe(2)
    expect(kept.err).toContain(`revisit watch ${base}/b`)
    expect((await revisit(['visit', 'a'])).err).toContain('no address of a web page')
    expect(asked(site)).toEqual([])
  })

  it('leaves a page alone that another process is visiting', async () => {
    const site = await visitedSite({ '/a': { body: 'a' }, '/b': { body: 'b' } })
    const { base, revisit } = site
    await heldElsewhere(site, { ttl: 60 })
    const { code, out } = await revisit(['visit', `${base}/a`])
    expect(code).toBe(1)
    expect(out).toMatch(/waiting {4}- {5}http\S+\/a {2}another process is visiting it\n$/)
    // Its host is busy for as long: no longer than longest-delay is waited for it.
    const other = await revisit(['visit', `${base}/b`, '--json', '--longest-delay', '0'])
    expect(other.code).toBe(1)
    expect(JSON.parse(other.out)).toMatchObject([
      { url: `${base}/b`, outcome: 'waiting', why: 'another process is visiting its host' },
    ])
    expect(asked(site)).toEqual([])
  })

  it('waits for a host until another process has done with it', async () => {
    const site = await visitedSite({ '/a': { body: 'a' }, '/b': { body: 'b' } })
    const { base, revisit } = site
    const now = await heldElsewhere(site, { ttl: 1 })
    const { code, out } = await revisit(['visit', `${base}/b`, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)[0].at).toBeGreaterThanOrEqual(now + 1)
  })

  it('says what it waits for, once and on standard error', async () => {
    const site = await visitedSite({ '/a': { body: 'a' }, '/b': { body: 'b' } })
    const { base, revisit } = site
    const { host } = new URL(base)
    await inStore(site, async (store) => {
      const blockedUntil = Date.now() / 1000 + 5
      await store.putHosts([{ ...(await store.getHost(host))!, blockedUntil }])
    })
    const resting = await revisit(['visit', `${base}/b`, '--json'])
    expect(resting.code).toBe(0)
    expect(JSON.parse(resting.out)).toHaveLength(1)
    expect(resting.err).toMatch(
      new RegExp(`^waiting for ${host}, which rests until \\S+ \\(in [\\d.]+ seconds?\\)\n$`),
    )
    await heldElsewhere(site, { ttl: 5 })
    const busy = await revisit(['visit', `${base}/b`])
    expect(busy).toMatchObject({ code: 0, err: `waiting for ${host}, which is being visited\n` })
  }, 30_000)

  it("keeps a host's delay between two pages", async () => {
    const site = await visitedSite({ '/a': { body: 'a' }, '/b': { body: 'b' } })
    const urls = ['/a', '/b'].map((each) => site.base + each)
    const { out, code } = await site.revisit(['visit', '--json', '--delay', '700ms', ...urls])
    expect(code).toBe(0)
    const [first, second] = (JSON.parse(out) as { at: number }[]).map(({ at }) => at).sort()
    expect(second! - first!).toBeGreaterThan(0.69)
  })

  it('waits for hours and hosts, and does not remain with them', async () => {
    const site = await visitedSite({ '/a': { body: 'a' }, '/b': { body: 'b' } })
    const { base, revisit } = site
    const far = (new Date().getUTCHours() + 12) % 24
    await revisit(['watch', `${base}/a`, '--hours', `${far}-${(far + 1) % 24}`])
    const closed = await revisit(['visit', `${base}/a`])
    expect(closed.code).toBe(1)
    expect(closed.out).toMatch(/waiting .* it waits until .*deferred to its allowed hours/)
    const until = Date.now() / 1000 + 7200
    await inStore(site, async (store) => {
      const host = await store.getHost(new URL(base).host)
      await store.putHosts([{ ...host!, blockedUntil: until }])
    })
    const resting = await revisit(['visit', `${base}/b`])
    expect(resting.code).toBe(1)
    expect(resting.out).toMatch(/waiting .* its host rests until .* \(in 120 minutes\)/)
    expect(asked(site)).toEqual([])
  })

  it('keeps the budget of the day', async () => {
    const site = await visitedSite({ '/a': { body: 'a' }, '/b': { body: 'b' } })
    const urls = ['/a', '/b'].map((each) => site.base + each)
    const { code, out } = await site.revisit(['visit', ...urls, '--requests-per-day', '1'])
    expect(code).toBe(1)
    expect(out).toMatch(/unchanged {2}200/)
    expect(out).toMatch(
      /waiting .* budget of 1 request \(requests-per-day\) is used up.*T00:00:00Z/,
    )
    expect(asked(site)).toHaveLength(1)
  })

  it('asks for a contact for public pages alone that it is to visit', async () => {
    const site = await visitedSite({ '/a': { body: 'a' } })
    await site.revisit(['watch', 'https://example.org/'])
    expect((await site.revisit(['visit', `${site.base}/a`])).code).toBe(0)
    const { code, err } = await site.revisit(['visit', 'https://example.org/'])
    expect(code).toBe(2)
    expect(err).toContain('https://example.org/ is on a public host')
  })
})
