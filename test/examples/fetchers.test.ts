import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { type TriedVisit, tryFetcher } from '../../examples/fetchers/try-fetcher.mjs'
import { tempFolder } from '../fixtures/temp-folder.js'

const hostOf = (url: string) => new URL(url).host

describe('the fetcher in plain Node', () => {
  // The built package, as are all programs here: revisit serve, the demo web, the fetchers.
  it('keeps pages fresh through leases, also after another was killed with pages in its hands', async () => {
    const reported = await tryFetcher({ visits: 60, pages: 20, leaseTime: 2, killOne: true })
    expect(reported.code).toBe(0)
    expect(reported.pages).toBe(20)
    // A host of the demo answers 503 and asks to be left alone: its other pages wait.
    const resting = reported.log.filter(({ outcome }) => outcome === 'failed')
    const hostsAtRest = new Set(resting.map(({ page }) => hostOf(page.url)))
    expect(reported.unvisited.filter((url) => !hostsAtRest.has(hostOf(url)))).toEqual([])
    expect(hostsAtRest.size).toBeLessThan(2)
    expect(reported.visits).toBeGreaterThan(60)
    expect(reported.outcomes.changed ?? 0).toBeGreaterThan(0)
    expect(reported.outcomes.unchanged ?? 0).toBeGreaterThan(0)
    const hosts = new Map<string, TriedVisit[]>()
    for (const visit of reported.log) {
      const host = hostOf(visit.page.url)
      hosts.set(host, [...(hosts.get(host) ?? []), visit])
    }
    // A host has rested 0.05 s when it is asked again, as the service was told to hold.
    for (const visits of hosts.values())
      for (const [i, { at, duration }] of visits.entries())
        if (i > 0) expect(at - duration - visits[i - 1]!.at).toBeGreaterThan(0.045)
  })
})

describe('the other fetchers', () => {
  it('of Crawlee is well-formed; it runs by `npm run try` in its folder, after npm install', () => {
    const file = 'examples/fetchers/crawlee/fetcher.mjs'
    expect(spawnSync(process.execPath, ['--check', file]).status).toBe(0)
  })

  const python = spawnSync('python3', ['--version']).status === 0
  it.skipIf(!python)('of Scrapy compiles (skipped where there is no python3)', () => {
    const args = ['-m', 'py_compile', 'examples/fetchers/scrapy/revisit_spider.py']
    const env = { ...process.env, PYTHONPYCACHEPREFIX: tempFolder() }
    const { status, stderr } = spawnSync('python3', args, { env })
    expect(String(stderr)).toBe('')
    expect(status).toBe(0)
  })
})
