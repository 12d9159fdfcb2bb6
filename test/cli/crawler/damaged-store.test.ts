import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CrawledSite, crawledSite } from '../../fixtures/crawled-site.js'

/** A site of 200 pages that were visited once, and its store. */
async function visited(): Promise<{ site: CrawledSite; path: string }> {
  const addresses = Array.from({ length: 200 }, (_, at) => `/p${at}`)
  const site = await crawledSite(
    Object.fromEntries(addresses.map((address) => [address, { body: `<p>${address}` }])),
  )
  await site.revisit([
    'watch',
    ...addresses.map((address) => site.base + address),
    '--no-noise-check',
  ])
  await site.revisit(['run', '--once', '--quiet'])
  await site.makeDue()
  return { site, path: join(site.folder, 'revisit.db') }
}

function tear(path: string, share: number): void {
  const bytes = readFileSync(path)
  const at = Math.floor((bytes.length / 4096) * share) * 4096
  writeFileSync(path, bytes.fill(0, at, at + 4096))
}

describe('a store with one torn page', () => {
  it('is refused by run, listed by check, and kept by restore', async () => {
    const { site, path } = await visited()
    const copy = join(site.folder, 'copy.db')
    expect((await site.revisit(['backup', copy])).code).toBe(0)
    tear(path, 0.5)
    const asked = site.requests.length
    const run = await site.revisit(['run', '--once', '--quiet'])
    expect(run.code).toBe(3)
    expect(run.err).toContain(path)
    expect(run.err).toMatch(/revisit check.*revisit restore/)
    expect(run.err).not.toMatch(/^\s+at /m)
    expect(site.requests).toHaveLength(asked)
    const check = await site.revisit(['check'])
    expect(check.code).toBe(5)
    expect(check.out).toMatch(/^Tree \d+ page \d+/)
    expect(check.err).toMatch(/not in order.*revisit restore/)
    const { out } = await site.revisit(['check', '--json'])
    expect(JSON.parse(out).problems[0]).toMatch(/^Tree \d+ page \d+/)
    const again = await site.revisit(['backup', join(site.folder, 'another.db')])
    expect(again.code).toBe(3)
    expect(again.err).toContain(`${path} is not a whole store`)
    expect((await site.revisit(['restore', copy, '--replace'])).code).toBe(0)
    expect((await site.revisit(['check'])).out).toMatch(/^in order: 200 pages, 200 visits/)
  })
})

describe('a store that cannot be opened any more', () => {
  it('is not in order, says check', async () => {
    const { site, path } = await visited()
    truncateSync(path, 40_000)
    const check = await site.revisit(['check'])
    expect(check.code).toBe(5)
    expect(check.out).toContain(path)
  })
})
