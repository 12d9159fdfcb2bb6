import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Random } from '../../../src/numeric/random.js'
import { crawledSite } from '../../fixtures/crawled-site.js'

it('show says how stale the copy is at the planned gap, and how many updates behind', async () => {
  const { folder, revisit } = await crawledSite()
  const random = new Random(12)
  const url = 'https://a.example/'
  let at = 0
  // Poisson, every 1.5 days, seen at random gaps of a day on average.
  const lines = Array.from({ length: 300 }, (_, i) => {
    const gap = i === 0 ? 0 : Math.max(0.001, random.exponential())
    at += gap
    const changed = i === 0 ? 'first' : random.uniform() < -Math.expm1(-gap / 1.5)
    return `${url},${Math.round(1_760_000_000 + 86_400 * at)},${changed}`
  })
  const log = join(folder, 'log.csv')
  writeFileSync(log, ['url,at,changed', ...lines, ''].join('\n'))
  expect((await revisit(['import', log])).code).toBe(0)
  const { out } = await revisit(['show', url])
  expect(out).toMatch(
    /\n {2}staleness +refreshed every .*: stale \d+% of the time \(\d+% to \d+%\), \S+ updates behind on average\n/,
  )
  const { staleness } = JSON.parse((await revisit(['show', url, '--json'])).out)
  const [{ gap, stale, updatesBehind }] = staleness.gaps
  // For a Poisson page of period P: 1 - (1 - e^(-g/P)) P / g of the time, g / 2P updates.
  const changes = gap / (1.5 * 86_400)
  const truth = 1 - -Math.expm1(-changes) / changes
  expect(stale.low).toBeLessThan(truth)
  expect(stale.high).toBeGreaterThan(truth)
  expect(Math.abs(stale.value - truth)).toBeLessThan(0.08)
  expect(updatesBehind.low).toBeLessThan(changes / 2)
}, 30_000)
