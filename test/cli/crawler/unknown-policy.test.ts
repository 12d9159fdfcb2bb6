import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PageRecord } from '../../../src/model/page.js'
import { DAY } from '../../../src/model/units.js'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { type CrawledSite, crawledSite } from '../../fixtures/crawled-site.js'

/** Two pages whose policy was written by a newer version or a hand, around one that has none. */
async function siteWith(policy: unknown): Promise<CrawledSite> {
  const site = await crawledSite({ '/a': { body: 'a' }, '/b': { body: 'b' }, '/c': { body: 'c' } })
  const store = await openSqliteStore({ path: join(site.folder, 'revisit.db') })
  const settings = { policy } as { policy: string }
  const pages = [
    { url: `${site.base}/a`, settings },
    { url: `${site.base}/b` },
    { url: `${site.base}/c`, settings },
  ]
  await store.addPages({ collection: 'default', pages, now: 0 })
  await store.close()
  return site
}

describe('a page with a policy that this version does not know', () => {
  it.each([
    ['foo', '"foo"'],
    ['fixed:gap=nonsense', '"fixed:gap=nonsense"'],
    [42, '"42"'],
    [{ later: [1] }, '"{"later":[1]}"'],
  ])('is visited by the policy of all pages: %j', async (policy, named) => {
    const site = await siteWith(policy)
    const first = await site.revisit(['run', '--once'])
    expect(first.code).toBe(0)
    expect(first.out.match(/first {6}200/g)).toHaveLength(3)
    // Once for all pages with it, and by name of the first.
    expect(first.err.match(/names the policy/g)).toHaveLength(1)
    expect(first.err).toContain(`names the policy ${named}, which this version`)
    expect(first.err).toContain('are visited by auto')
    const again = await site.revisit(['run', '--once', '--policy', 'fixed:gap=3d'])
    const pages = JSON.parse((await site.revisit(['list', '--json'])).out) as PageRecord[]
    const gaps = pages.map(({ due, lastSeen }) => Math.round((due.at as number) - lastSeen!))
    expect(gaps).toEqual([3 * DAY, 3 * DAY, 3 * DAY])
    expect(again.err).toContain('are visited by fixed:gap=3d')
  })

  it('says so in list and show, and is planned and changed as others', async () => {
    const site = await siteWith('foo')
    const pages = JSON.parse((await site.revisit(['list', '--json'])).out)
    const faults = pages.map(({ policyFault }: { policyFault?: string }) => policyFault)
    expect(faults[0]).toMatch(/^there is no policy "foo"; there are: auto, /)
    expect(faults[1]).toBeUndefined()
    expect(faults[2]).toBe(faults[0])
    const shown = await site.revisit(['show', `${site.base}/a`])
    expect(shown.out).toMatch(/policy +foo \(this version cannot follow it; visited by auto\)/)
    expect(
      JSON.parse((await site.revisit(['show', `${site.base}/a`, '--json'])).out),
    ).toMatchObject({ policyFault: faults[0], settings: { policy: 'foo' } })
    expect((await site.revisit(['list'])).out).toContain('3 pages')
    expect((await site.revisit(['plan'])).code).toBe(0)
    const mended = await site.revisit(['watch', `${site.base}/a`, '--policy', 'nutch'])
    expect(mended.code).toBe(0)
    expect((await site.revisit(['show', `${site.base}/a`])).out).toMatch(/policy +nutch\n/)
  })
})
