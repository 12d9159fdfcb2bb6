import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../src/model/units.js'
import { type Periods, YoungWeb } from './young-web.js'

const addresses = (pages: number) =>
  Array.from({ length: pages }, (_, i) => `http://h${i}.example/`)

/** One page that somebody asked for hourly, and five others; none changes. */
async function sixPages({ longest, perPage = 1 }: { longest: number | null; perPage?: number }) {
  const urls = addresses(6)
  const web = await YoungWeb.open(new Map(urls.map((url) => [url, Infinity])), {
    budget: { perPage },
  })
  const limited = longest === null ? {} : { settings: { longest } }
  await web.watch(urls.map((url, i) => (i === 0 ? { url, ...limited } : { url })))
  await web.start()
  return { web, hourly: urls[0]!, others: urls.slice(1) }
}

describe('one page with a short limit among six', () => {
  it('is visited hourly, and the others within a day or two', async () => {
    const { web, hourly, others } = await sixPages({ longest: HOUR })
    await web.run(0.1)
    for (const url of others) expect(await web.gap(url)).toBeLessThan(36)
    await web.run(47.9)
    expect(web.visitsOf(hourly).length).toBeGreaterThanOrEqual(47)
    for (const url of others) expect(web.visitsOf(url).length).toBeGreaterThanOrEqual(2)
  })

  it.each([HOUR, 10 * MINUTE])(
    'lets no other wait ten times as long as without its limit of %i seconds',
    async (longest) => {
      const bound = await sixPages({ longest })
      const free = await sixPages({ longest: null })
      for (const { web } of [bound, free]) await web.run(21 * 24)
      for (const url of free.others) {
        const [limited, without] = [
          await bound.web.longestWait(url),
          await free.web.longestWait(url),
        ]
        expect(limited).toBeLessThan(10 * without)
        expect(limited).toBeLessThan(10 * 24)
      }
    },
  )

  it('does not keep a larger budget from the others, at the start or later', async () => {
    const mean = async ({ web, others }: Awaited<ReturnType<typeof sixPages>>) =>
      (await Promise.all(others.map((url) => web.gap(url)))).reduce((a, b) => a + b) / 5
    const usual = await sixPages({ longest: HOUR })
    const large = await sixPages({ longest: HOUR, perPage: 6 })
    for (const { web } of [usual, large]) await web.run(0.1)
    const before = await mean(usual)
    expect(await mean(large)).toBeLessThan(0.5 * before)
    await usual.web.changeBudget(60)
    expect(await mean(usual)).toBeLessThan(0.6 * before)
  })
})

/** Four of twenty change every five minutes, six every three days, the others never. */
const urls = addresses(20)
const fast = urls.slice(0, 4)
const periods: Periods = new Map(
  urls.map((url, i) => [url, i < 4 ? 5 * MINUTE : i < 10 ? 3 * DAY : Infinity]),
)
const pages = urls.map((url) => ({ url }))

/** Ways in which twenty pages come to be followed. */
const ways: Record<string, (web: YoungWeb) => Promise<void>> = {
  'before the first run': async (web) => {
    await web.watch(pages)
    await web.start()
  },
  'in two batches, a minute apart': async (web) => {
    await web.watch(pages.slice(10))
    await web.start()
    await web.run(1 / 60)
    await web.watch(pages.slice(0, 10))
  },
  'to a run under way that had none': async (web) => {
    await web.start()
    await web.run(1 / 60)
    await web.watch(pages)
  },
  'before a run in which all visits failed': async (web) => {
    await web.watch(pages)
    web.down = true
    await web.start()
    await web.run(0.1)
    web.down = false
    await web.start()
  },
}

describe.each(Object.entries(ways))('twenty pages added %s', (_, added) => {
  it('are seen twice within a day, the fast ones often', async () => {
    const web = await YoungWeb.open(periods, { budget: { perPage: 1 } })
    await added(web)
    await web.run(24)
    for (const url of urls) expect(web.visitsOf(url)[1]).toBeLessThan(8)
    for (const url of fast) {
      // Found changed at the second visit and at the third.
      expect(web.visitsOf(url)[2]).toBeLessThan(16)
      expect((await web.page(url)).changes).toBeGreaterThanOrEqual(2)
    }
  })

  it('do not take the budget apart', async () => {
    const web = await YoungWeb.open(periods, { budget: { perPage: 1 } })
    await added(web)
    await web.run(21 * 24)
    const visits = urls.reduce((sum, url) => sum + web.visitsOf(url).length - 1, 0)
    expect(visits / (20 * 21)).toBeGreaterThan(0.7)
    expect(visits / (20 * 21)).toBeLessThan(1.2)
  })
})

describe('pages that change too fast to follow', () => {
  it.each([
    ['alone', [10 * MINUTE]],
    ['beside pages that never change', [10 * MINUTE, Infinity, Infinity]],
    ['beside others like them', [HOUR, HOUR, HOUR]],
  ])('are visited for what the budget leaves, %s', async (_, changePeriods) => {
    const all = addresses(changePeriods.length)
    const web = await YoungWeb.open(new Map(all.map((url, i) => [url, changePeriods[i]!])), {
      budget: { perPage: 1 },
    })
    await web.watch(all.map((url) => ({ url })))
    await web.start()
    await web.run(60 * 24)
    let visits = 0
    for (const [i, url] of all.entries()) {
      visits += web.visitsOf(url).length
      // It waited for up to sixty days before, its requests unspent.
      if (changePeriods[i]! < DAY) expect(await web.longestWait(url)).toBeLessThan(6 * 24)
    }
    expect(visits / (60 * all.length)).toBeGreaterThan(0.75)
    expect(visits / (60 * all.length)).toBeLessThan(1.15)
  })
})
