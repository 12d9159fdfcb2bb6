import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { Random } from '../../src/numeric/random.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { type CrawledSite, crawledSite } from '../fixtures/crawled-site.js'
import { type SinghRule, waitBySingh } from '../fixtures/singh-rule.js'

const shortest = 0.25
const first = 0.3
/** Expected of each page while it is followed. */
const updates = 30
const estimators = ['weibull', 'duane-cumulative', 'duane'] as const
const alpha = 0.7

/** Pages that change every second or so, faster and faster, steadily, or slower and slower. */
const paths = estimators.flatMap((estimator) =>
  [0.6, 1, 1.7].map((shape) => ({ estimator, shape, path: `/${estimator}-${shape}` })),
)

/** From now on for so long. */
function changeFor(seconds: number, site: CrawledSite): () => void {
  const random = new Random(17)
  const timers: NodeJS.Timeout[] = []
  for (const { path, shape } of paths) {
    let sum = random.exponential()
    for (let n = 1; ; n++, sum += random.exponential()) {
      // Expected updates by t are (t / scale)^shape.
      const at = seconds * (sum / updates) ** (1 / shape)
      if (at > seconds) break
      const body = `<p>version ${n} of ${path}</p>`
      timers.push(
        setTimeout(() => {
          site.pages[path] = { body }
        }, 1000 * at),
      )
    }
  }
  return () => timers.forEach(clearTimeout)
}

describe('singh, live over HTTP', () => {
  it('visits each page when its estimator predicts the next update, alpha held where it slows down', async () => {
    const site = await crawledSite()
    const { base, folder, revisit, spawned } = site
    for (const { path } of paths) site.pages[path] = { body: `<p>version 0 of ${path}</p>` }
    for (const estimator of estimators) {
      const policy = `singh:first=${first}s,min=${shortest}s,estimator=${estimator},alpha=${alpha},threshold=1000,state=paper`
      const urls = paths
        .filter((each) => each.estimator === estimator)
        .map(({ path }) => base + path)
      const { code, err } = await revisit(['watch', ...urls, '--policy', policy])
      expect(err).not.toMatch(/cannot|error/i)
      expect(code).toBe(0)
    }
    const run = ['run', '--until', '7s', '--quiet', '--poll-every', '0.05']
    const ran = spawned(run)
    // A process takes its time to start where others are at work.
    await vi.waitUntil(() => site.requests.length > 0, { timeout: 30_000 })
    const stop = changeFor(10, site)
    expect((await ran).code).toBe(0)
    stop()
    const store = await openSqliteStore({ path: join(folder, 'revisit.db'), readOnly: true })
    let fitted = 0
    for (const { estimator, path } of paths) {
      const page = (await store.getPage({ collection: 'default', url: base + path }))!
      const visits = await store.visitsOf(page)
      const rule: SinghRule = { estimator, alpha }
      const seen = visits.slice(1).map(({ at, outcome }, i) => {
        expect(['changed', 'unchanged']).toContain(outcome)
        return { gap: at - visits[i]!.at, changed: outcome === 'changed' }
      })
      // Each gap there was, by what the rule asks for after the visit before it: never earlier.
      for (const [i, { gap }] of seen.entries()) {
        const ruled = waitBySingh(seen.slice(0, i), rule) ?? first
        expect(gap / Math.max(shortest, ruled), `${path}, visit ${i + 1}`).toBeGreaterThan(0.99)
      }
      // And the one that is planned now, to the digit.
      const planned = Number(page.due.at) - visits.at(-1)!.at
      const ruled = waitBySingh(seen, rule) ?? first
      expect(planned / Math.max(shortest, ruled), path).toBeCloseTo(1, 4)
      if (seen.filter(({ changed }) => changed).length >= 3) fitted++
    }
    await store.close()
    // Otherwise nothing was predicted by a curve.
    expect(fitted).toBeGreaterThan(4)
  }, 60_000)
})
