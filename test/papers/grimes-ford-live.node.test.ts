import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Random } from '../../src/numeric/random.js'
import { crawledSite } from '../fixtures/crawled-site.js'
import { reckonedByGrimesFord } from '../fixtures/followed-by-grimes-ford.js'

/** In seconds; the shortest gap is one, and so is the shortest that the learner tells from others. */
const shortest = 1
const periods = [0.6, 1, 2, 3, 4, 8, 20, 1000]

/** Pages that change at random for ten seconds from now on. */
async function changingSite() {
  const site = await crawledSite()
  const random = new Random(3)
  const timers: NodeJS.Timeout[] = []
  for (const [page, period] of periods.entries()) {
    const path = `/${page}`
    site.pages[path] = { body: `<p>version 0 of page ${page}</p>` }
    for (
      let at = period * random.exponential(), n = 1;
      at < 12;
      at += period * random.exponential()
    ) {
      const body = `<p>version ${n++} of page ${page}</p>`
      timers.push(
        setTimeout(() => {
          site.pages[path] = { body }
        }, 1000 * at),
      )
    }
  }
  return { ...site, stop: () => timers.forEach(clearTimeout) }
}

// On the demo web for two minutes: grimes-ford-live.slow.test.ts.
describe('grimes-ford, live over HTTP', () => {
  it('plans every page by the two pseudo-gaps and all its gaps, and visits it then', async () => {
    const { base, folder, spawned, stop } = await changingSite()
    const urls = periods.map((_, page) => `${base}/${page}`)
    expect((await spawned(['watch', ...urls])).code).toBe(0)
    const policy = 'grimes-ford:prior=pseudo:3s/1s,min=1s'
    const run = ['run', '--policy', policy, '--until', '9s', '--quiet', '--poll-every', '0.05']
    const { code, err } = await spawned(run)
    stop()
    expect(err).not.toMatch(/cannot|error/i)
    expect(code).toBe(0)
    const pages = await reckonedByGrimesFord(join(folder, 'revisit.db'), {
      prior: 'pseudo:3s/1s',
      collection: 'default',
    })
    expect(pages).toHaveLength(periods.length)
    for (const { url, planned, ruled } of pages) {
      // The learner keeps changed gaps in bins; 1% is more than its own bound.
      expect(Math.abs(planned / Math.max(shortest, ruled) - 1), url).toBeLessThan(0.01)
    }
    const gaps = pages.flatMap((page) => page.gaps)
    expect(gaps.length).toBeGreaterThan(10)
    // Never earlier than the rule asks; later by what a busy machine takes.
    for (const { actual, ruled } of gaps)
      expect(actual / Math.max(shortest, ruled)).toBeGreaterThan(0.99)
    // One changed gap c and one unchanged u: the first gap is c / ln(1 + c / u).
    for (const [first] of pages.map((page) => page.gaps))
      expect(first!.ruled).toBeCloseTo(3 / Math.log(4), 6)
  }, 60_000)
})
