import { describe, expect, it } from 'vitest'
import { signIn, signOut } from '../../../src/cli/crawler/run/left-leases.js'
import { openMemoryStore } from '../../../src/store/index.js'

const collection = 'web'
const now = 1_700_000_000

describe('the pages of runs that were killed', () => {
  it('are given back at the next start, and those of runs that go on are not', async () => {
    const store = openMemoryStore()
    const pages = ['a', 'b', 'c'].map((host) => ({ url: `https://${host}.example/` }))
    await store.addPages({ collection, now, pages })
    const running = new Set(['killed', 'other'])
    const run = (worker: string) => ({
      store,
      collection,
      worker,
      isRunning: (each: string) => running.has(each),
    })
    const lease = (worker: string) =>
      store.leaseDue({ collection, now, limit: 1, perHost: 1, ttl: 300, worker })
    await signIn(run('killed'))
    const [killed] = await lease('killed')
    await signIn(run('other'))
    const [other] = await lease('other')
    running.delete('killed')

    await signIn(run('new'))
    const free = await store.leaseDue({
      collection,
      now,
      limit: 9,
      perHost: 1,
      ttl: 300,
      worker: 'new',
    })
    const urls = free.map(({ page }) => page.url)
    expect(urls).toContain(killed!.page.url)
    expect(urls).not.toContain(other!.page.url)
    await signOut(run('new'))
    expect(await store.getSetting(collection, 'workers')).toEqual(['other'])
    // The same name again is a number that a new process was given.
    await signIn(run('other'))
    expect((await lease('w')).map(({ page }) => page.url)).toEqual([other!.page.url])
  })
})
