import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { crawledSite } from '../../fixtures/crawled-site.js'

const minute = 60
const hour = 60 * minute
const day = 24 * hour
// A whole second, as short texts keep it.
const now = Math.floor(Date.now() / 1000)

/** When an imported page is due after its last visit, in seconds, and why. */
async function dueAfter(visits: readonly (readonly [ago: number, outcome: string])[]) {
  const { revisit } = await crawledSite()
  const rows = visits.map(([ago, outcome]) => `https://e.org/,${now - ago},${outcome}`)
  const input = `url,at,changed\n${rows.join('\n')}\n`
  expect((await revisit(['import', '-'], { input })).code).toBe(0)
  const { due } = JSON.parse((await revisit(['show', 'https://e.org/', '--json'])).out)
  return { after: due.at - (now - visits.at(-1)![0]), reason: due.reason }
}

describe('an imported page that was last not seen', () => {
  // By hand from the rests of src/visit/backoff.ts: a day for gone and refused, ten minutes for
  // a failure, doubled for each of its kind before.
  it.each([
    [day, [[hour, 'gone']]],
    [
      4 * day,
      [
        [5 * hour, 'gone'],
        [4 * hour, 'gone'],
        [hour, 'gone'],
      ],
    ],
    [day, [[hour, 'refused']]],
    [
      2 * day,
      [
        [2 * hour, 'refused'],
        [hour, 'refused'],
      ],
    ],
    [10 * minute, [[hour, 'failed']]],
    [
      20 * minute,
      [
        [2 * hour, 'failed'],
        [minute, 'failed'],
      ],
    ],
    [
      10 * minute,
      [
        [3 * hour, 'failed'],
        [2 * hour, 'first'],
        [minute, 'failed'],
      ],
    ],
    [
      day,
      [
        [3 * hour, 'gone'],
        [2 * hour, 'unchanged'],
        [minute, 'gone'],
      ],
    ],
  ] as const)('rests for %i seconds after %j', async (after, visits) => {
    expect((await dueAfter(visits)).after).toBeCloseTo(after, 3)
  })

  it('says why', async () => {
    expect((await dueAfter([[hour, 'gone']])).reason).toBe('gone; visited again after 24 hours')
    expect((await dueAfter([[hour, 'refused']])).reason).toMatch(/^refused \(reported by a log\)/)
    expect((await dueAfter([[hour, 'failed']])).reason).toMatch(
      /^the visit failed \(reported by a log\)/,
    )
  })

  it('is not asked for at once where it was just found gone', async () => {
    const site = await crawledSite({ '/a': { body: 'A' }, '/gone': { status: 410 } })
    const { base, revisit, folder, requests } = site
    await revisit(['watch', `${base}/a`, `${base}/gone`])
    await revisit(['run', '--once'])
    const log = join(folder, 'visits.csv')
    await revisit(['export', log])
    const other = { env: { REVISIT_DATABASE: join(folder, 'other.db') } }
    await revisit(['import', log], other)
    const before = requests.length
    await revisit(['run', '--once'], other)
    expect(requests.slice(before).map(({ url }) => url)).toEqual([])
  })
})
