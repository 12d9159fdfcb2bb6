import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { releaseGone } from '../../../src/crawler/processes/recovery.js'
import { mayRun, workerName } from '../../../src/crawler/processes/worker-name.js'
import { openMemoryStore } from '../../../src/store/memory/store.js'

const collection = 'web'
const now = 1_700_000_000

describe('the pages of runs that were killed', () => {
  it('are given back at the next start, and those of runs that go on are not', async () => {
    const store = openMemoryStore()
    const pages = ['a', 'b', 'c'].map((host) => ({ url: `https://${host}.example/` }))
    await store.addPages({ collection, now, pages })
    const lease = (worker: string) =>
      store.leaseDue({ collection, now, limit: 1, perHost: 1, ttl: 300, worker })
    const [killed] = await lease('killed')
    const [other] = await lease('other')
    expect(await releaseGone(store, (worker) => worker === 'other')).toBe(1)
    const terms = { collection, now, limit: 9, perHost: 1, ttl: 300, worker: 'new' }
    const urls = (await store.leaseDue(terms)).map(({ page }) => page.url)
    expect(urls).toContain(killed!.page.url)
    expect(urls).not.toContain(other!.page.url)
  })
})

describe('the name of a process', () => {
  it('tells one that runs from one that has ended', async () => {
    expect(mayRun(workerName())).toBe(true)
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'])
    await new Promise((resolve) => child.once('spawn', resolve))
    const name = workerName(child.pid)
    expect(mayRun(name)).toBe(true)
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    expect(mayRun(name)).toBe(false)
  })

  it('is another each time, so that two containers never give back the pages of each other', () => {
    expect(workerName()).not.toBe(workerName())
    const [machine, pid, rest] = workerName().split(':')
    const [boot, space, began, random] = rest!.split('.')
    const named = (more: { boot?: string; space?: string; began?: string }) =>
      `${machine}:${pid}:${more.boot ?? boot}.${more.space ?? space}.${more.began ?? began}.${random}`
    // Another container with the same host name and number: nothing is known of it.
    expect(mayRun(named({ space: '1' }))).toBe(true)
    if (process.platform === 'linux') {
      // A number given again, and a machine started anew.
      expect(mayRun(named({ began: '1' }))).toBe(false)
      expect(mayRun(named({ boot: 'abc' }))).toBe(false)
    }
    // Names that others chose.
    for (const name of ['mine', `${machine}:999999`, 'other:1:a.1.1.00000000'])
      expect(mayRun(name)).toBe(true)
  })
})
