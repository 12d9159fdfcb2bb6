import { describe, expect, it } from 'vitest'
import { openController } from '../../src/crawler/page-planners.js'
import { fitRates } from '../../src/estimators/prior/fitted-rates.js'
import { gridPrior } from '../../src/estimators/prior/grid-prior.js'
import { DAY, HOUR, type Json } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { ratePriorSetting, ratesToStore } from '../../src/planner/prior/stored-rates.js'
import { openMemoryStore } from '../../src/store/memory/store.js'

/** What `revisit prior fit --method empirical` stores for pages that all change at this period. */
function fittedTo(period: number): Json {
  const rates = fitRates(gridPrior([period / 1.01, period, period * 1.01], [0.25, 0.5, 0.25]))
  const about = { method: 'empirical', how: 'by hand', from: 'these', pages: 3 } as const
  return ratesToStore(rates, { ...about, unfinished: 0, use: 'law' }) as unknown as Json
}

describe('a prior that is fitted while a process runs', () => {
  it('is followed after the next reload, and visits planned by the old one are planned anew', async () => {
    const store = openMemoryStore()
    const collection = 'c'
    const now = 1_700_000_000
    await store.putSetting(collection, ratePriorSetting, fittedTo(20 * DAY))
    await store.addPages({ collection, pages: [{ url: 'https://a.example/' }], now })
    const controller = await openController({
      store,
      collection,
      worker: 'w',
      random: new Random(1),
      policy: 'grimes-ford',
    })
    await controller.begin(now)
    const { pages } = await store.listPages({ collection, limit: 1 })
    const again = async () => (await controller.expected(pages, { now }))!.againAfter!
    const before = await again()
    expect(before / DAY).toBeGreaterThan(10)
    const unread = controller.plannerFor(pages[0]!)
    expect(controller.plannerFor(pages[0]!)).toBe(unread)

    await store.putSetting(collection, ratePriorSetting, fittedTo(20 * HOUR))
    expect(await again()).toBe(before)
    await controller.reload()
    // The best first gap goes with the period.
    expect((await again()) / before).toBeCloseTo(1 / 24, 6)

    const terms = await store.getSetting(collection, 'plan-terms')
    await controller.keepUp({ now })
    const after = await store.getSetting(collection, 'plan-terms')
    expect(after).not.toBe(terms)
    await store.close()
  })
})
