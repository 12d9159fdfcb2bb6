import { describe, expect, it } from 'vitest'
import { VersionDiffs } from '../../src/content/bounded/version-diffs.js'
import type { PriceCondition } from '../../src/notify/channel.js'
import { noticeOf } from '../../src/notify/visit-notice.js'
import { collection, start, WatchedPages } from './watched-pages.js'

const url = 'https://shop.example/lamp'

/** The notice of a page whose text changed from one to the other, under a condition. */
async function noticed(price: PriceCondition, before: string, after: string) {
  const pages = new WatchedPages()
  const diffs = new VersionDiffs({ threads: 1 })
  await pages.add(url)
  await pages.visit(url, { at: start, outcome: 'first', text: before })
  await pages.visit(url, { at: start + 1, outcome: 'changed', text: after })
  const [visit] = await pages.store.visitLog({ collection, changesOnly: true, limit: 1 })
  const notice = await noticeOf(visit!, { store: pages.store, diffs, collection, when: { price } })
  await diffs.close()
  return notice
}

const stock = (state: string) =>
  `Lamp ${state} <script type="application/ld+json">{"@type":"Offer","price":"10.00","priceCurrency":"EUR","availability":"https://schema.org/${state}"}</script>`

describe('a channel that waits for a price', () => {
  it.each<[PriceCondition, string, string, boolean]>([
    [{ below: 1000 }, '1.299,00 €', '999,00 €', true],
    [{ below: 1000 }, '1.299,00 €', '1.199,00 €', false],
    [{ below: 1000 }, '999 € today', '999 € tomorrow', false],
    [{ above: 1000 }, '$999.00', '$1,299.00', true],
    [{ changedBy: 0.05 }, '100,00 €', '104,00 €', false],
    [{ changedBy: 0.05 }, '100,00 €', '94,00 €', true],
    [{ below: 10 }, 'no price here', 'nor here, at all', false],
    [{ stock: 'in' }, stock('OutOfStock'), stock('InStock'), true],
    [{ stock: 'in' }, stock('InStock'), stock('OutOfStock'), false],
  ])('%o: %s, then %s', async (price, before, after, sent) => {
    expect((await noticed(price, before, after)) !== null).toBe(sent)
  })

  it('is told the prices', async () => {
    expect(await noticed({ below: 1000 }, '1.299,00 €', '999,00 €')).toMatchObject({
      offers: { before: { price: 1299 }, after: { price: 999, currency: 'EUR' } },
    })
  })
})
