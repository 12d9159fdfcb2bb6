import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { crawledSite } from '../../fixtures/crawled-site.js'

describe('a header that cannot be sent', () => {
  it.each([
    ['Host: x', /may not set the header "host"/],
    ['If-None-Match: "1"', /may not set the header "if-none-match"/],
    ['User-Agent: other', /names Revisit and the contact/],
    ['X: 10 \u20ac', /the header "x" cannot be sent/],
  ])('is refused when it is set: %s', async (header, reason) => {
    const { base, revisit } = await crawledSite()
    const { code, err } = await revisit(['watch', `${base}/a`, '--header', header])
    expect(code).toBe(2)
    expect(err).toMatch(reason)
  })

  it('fails its own page alone where it was stored before', async () => {
    const site = await crawledSite({ '/a': { body: '<p>a</p>' }, '/b': { body: '<p>b</p>' } })
    const { base, revisit, folder } = site
    await revisit(['watch', `${base}/a`])
    const store = await openSqliteStore({ path: join(folder, 'revisit.db') })
    const bad = { url: `${base}/bad`, settings: { headers: { host: 'x' } } }
    await store.addPages({ collection: 'default', pages: [bad, { url: `${base}/b` }], now: 0 })
    await store.close()
    const { code, out } = await revisit(['run', '--once'])
    expect(code).toBe(0)
    expect(out.match(/first {6}200/g)).toHaveLength(2)
    expect(out).toMatch(/failed +reserved-header +http.*\/bad.*\(watch it again with --header/)
    const { due } = JSON.parse((await revisit(['show', `${base}/bad`, '--json'])).out)
    expect(due.reason).toMatch(
      /may not set the header "host".*leave it out; watch it again with --header .*; tried again after 10 minutes/,
    )
    expect(site.requests.map(({ url }) => url)).not.toContain('/bad')
  })
})
