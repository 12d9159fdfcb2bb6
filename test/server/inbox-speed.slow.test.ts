import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Random } from '../../src/numeric/random.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { aService, collection } from './a-service.js'

const words =
  'harbour lantern tide granite meadow copper willow signal orchard bridge candle engine summit velvet garden mirror thunder pocket ribbon castle'.split(
    ' ',
  )

/** Milliseconds at the server, the median of several. */
const most = 100

it('inbox, search and a page take under 100 ms with 10,000 pages and 100,000 changes', async () => {
  const store = await openSqliteStore({ path: join(tempFolder(), 'x.db') })
  const random = new Random(3)
  const pick = (count: number) => Math.floor(random.uniform() * count)
  const pages = Array.from({ length: 10_000 }, (_, i) => ({
    url: `https://site${i % 500}.example/${words[i % 20]}/${i}`,
    ...(i % 10 === 0 ? { group: 'shops' } : {}),
    ...(i % 100 === 0 ? { tags: ['rare'] } : {}),
  }))
  await store.addPages({ collection, now: 1, pages })
  for (let from = 1; from <= 100_000; from += 2000) {
    const changes = Array.from({ length: 2000 }, (_, i) => {
      const text = Array.from({ length: 60 }, () => words[pick(20)]).join(' ')
      return {
        number: from + i,
        page: String(1 + pick(10_000)),
        at: from + i,
        previous: null,
        title: `${words[pick(20)]} ${pick(3000)}`,
        removed: text.slice(0, 120),
        added: text.slice(60, 200),
        share: 0.1,
        note: null,
        text,
      }
    })
    await store.inbox.add(collection, changes)
  }
  const { ask } = await aService({ store })
  const medianOf = async (url: string) => {
    const times: number[] = []
    for (let i = 0; i < 11; i++) {
      const began = performance.now()
      expect((await ask('GET', url)).status).toBe(200)
      times.push(performance.now() - began)
    }
    return times.sort((a, b) => a - b)[5]!
  }
  for (const url of [
    '/api/changes',
    '/api/changes?unseen=true',
    '/api/changes?group=rare',
    '/api/changes?group=nobody',
    '/api/changes?search=harbour',
    '/api/changes?search=harb+lant',
    '/api/changes?search=nothinglikeit',
    '/api/changes?search=harbour&group=rare',
    '/api/changes/unseen',
    '/api/pages/77',
    '/api/changes?page=77',
  ])
    expect({ url, ms: await medianOf(url) }).toMatchObject({
      url,
      ms: expect.toSatisfy((ms: number) => ms < most),
    })
}, 180_000)
