import { describe, expect, it } from 'vitest'
import {
  foldedLine,
  foldedPage,
  foldVisits,
  importFolded,
} from '../../src/crawler/incoming/fold-visits.js'
import { importVisits } from '../../src/crawler/incoming/import-visits.js'
import { storedPlannersFor } from '../../src/crawler/page-planners.js'
import { crawlerDefaults } from '../../src/crawler/settings.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { randomPages } from '../estimators/bulk/random-pages.js'

const now = 1_900_000_000
const collection = 'all'

async function aStore() {
  const store = openMemoryStore()
  const plannerFor = await storedPlannersFor(store, { ...crawlerDefaults, collection })
  const terms = { now, ttl: 3600, worker: 'test' }
  return { store, collection, terms, plannerFor }
}

describe('visits folded page by page', () => {
  it('leave the states of an import of all visits, in any order, twice or not', async () => {
    const pages = [...randomPages(60, { seed: 7, lastModified: true, unchangedFor: true })]
    const whole = await aStore()
    await importVisits(pages, whole)
    const parted = await aStore()
    const parts = { collection, plannerFor: parted.plannerFor, now }
    const lines = pages.map((page, i) =>
      foldedLine(foldVisits(page, parts), i % 2 === 0 ? 'jsonl' : 'copy'),
    )
    const order = lines.map((line, i) => ({ line, at: (i * 7919) % lines.length }))
    order.sort((a, b) => a.at - b.at)
    const folded = order.map(({ line }, i) => foldedPage(line, `line ${i}`))
    const first = await importFolded(folded, parted)
    expect(first).toMatchObject({ pages: 60, newPages: 60, late: 0, busy: 0 })
    // One part is taken again: nothing changes.
    expect(await importFolded(folded.slice(0, 20), parted)).toMatchObject({
      visits: 0,
      newPages: 0,
    })
    for (const { url } of pages) {
      const one = (await whole.store.getPage({ collection, url }))!
      const other = (await parted.store.getPage({ collection, url }))!
      const kept = ({ state, due, lastSeen, lastVisit, failing, gone }: typeof one) => ({
        state,
        due,
        lastSeen,
        lastVisit,
        failing,
        gone,
      })
      expect(kept(other)).toEqual(kept(one))
    }
  })

  it('are refused by their line where it is not whole', () => {
    expect(() => foldedPage('{"url": "https://e.or', 'a.jsonl, line 3')).toThrow(
      /a\.jsonl, line 3: .*cut short/,
    )
    expect(() => foldedPage('{"url":"https://e.org/","at":1}', 'line 1')).toThrow(
      /no line that revisit fold wrote/,
    )
  })
})
