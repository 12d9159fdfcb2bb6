import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { setBackAtStart } from '../../../src/cli/commands/store.js'
import type { Configured } from '../../../src/cli/configured.js'
import type { FileStore } from '../../../src/model/store.js'
import { DAY } from '../../../src/model/units.js'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { hostInTime, newHost } from '../../../src/visit/politeness/host-state.js'
import { aVisit } from '../../fixtures/a-visit.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

const collection = 'c'
const start = 1_700_000_000
const ahead = 400 * DAY
const url = (name: string) => `https://${name}.example/`

/** Records a visit that saw the page, by a clock that is so far off. */
async function visit(store: FileStore, name: string, at: number, gap: number | null = null) {
  const pages = [{ collection, url: url(name) }]
  const [lease] = await store.leasePages({ pages, now: at, ttl: 300, worker: 'w' })
  const host = `${name}.example`
  const state = { ...newHost(host), nextAllowedAt: at + 5, today: { day: 99_999, requests: 3 } }
  const [fate] = await store.recordVisits([
    {
      lease: lease!,
      visit: aVisit({ at, outcome: gap === null ? 'first' : 'changed', gap, fingerprint: `${at}` }),
      due: { at: at + DAY, reason: 'a test' },
      host: { host, state: state as never, blockedUntil: at + 5 },
      content: { body: new TextEncoder().encode(`${name} ${at}`) },
    },
  ])
  return fate
}

/** Two pages seen at the right time; one of them, and a third, by a clock far ahead for 8 s. */
async function poisoned(): Promise<FileStore> {
  const store = await openSqliteStore({ path: join(tempFolder(), 'revisit.db') })
  const pages = ['a', 'b', 'c'].map((name) => ({ url: url(name) }))
  await store.addPages({ collection, pages, now: start })
  await visit(store, 'a', start + 10)
  await visit(store, 'b', start + 20)
  await visit(store, 'a', start + ahead, ahead - 10)
  await visit(store, 'c', start + ahead + 4)
  await visit(store, 'a', start + ahead + 8, 8)
  return store
}

const now = start + 100
const dueNow = async (store: FileStore, at: number) =>
  (await store.leaseDue({ collection, now: at, limit: 9, perHost: 1, ttl: 60, worker: 'w' })).map(
    ({ page }) => page.url,
  )

function configuredAt(at: number) {
  const reported: string[] = []
  const crawler = { clock: { now: () => at }, tell: (text: string) => reported.push(text) }
  return { made: { crawler } as unknown as Configured, reported }
}

describe('a clock that was far ahead for a while', () => {
  it('leaves pages that are due again at the next start, with their visits in order', async () => {
    const store = await poisoned()
    expect(await dueNow(store, now)).toEqual([])
    const { made, reported } = configuredAt(now)
    await setBackAtStart(made, store)
    expect(reported.join('')).toContain('3 visits of a time still to come')
    expect(await store.check()).toEqual([])
    expect(await store.timesAhead(now)).toBeNull()
    expect((await dueNow(store, now)).sort()).toEqual([url('a'), url('c')])
    const visits = await store.visitsOf({ collection, url: url('a') })
    expect(visits.map(({ at }) => at)).toEqual([start + 10, now - 8, now])
    // Of the last two visits the time between them is known; that before them is what was measured.
    expect(visits.map(({ gap }) => gap)).toEqual([null, now - 8 - (start + 10), 8])
    const page = await store.getPage({ collection, url: url('a') })
    expect(page).toMatchObject({ lastSeen: now, lastChange: now, lastVisit: { at: now } })
    const versions = await store.versionsOf({ collection, url: url('a') })
    expect(versions.map(({ at }) => at)).toEqual([start + 10, now - 8, now])
    // It goes on: the next visit is recorded at its own time.
    await store.releaseWorker('w')
    expect(await visit(store, 'a', now + 60, 60)).toBe('recorded')
    const host = await store.getHost('a.example')
    expect(host?.blockedUntil).toBe(now + 65)
    await store.close()
  })

  it('closes no host for as long, and uses up no budget', async () => {
    const store = await poisoned()
    await setBackAtStart(configuredAt(now).made, store)
    const record = await store.getHost('c.example')
    const today = { day: 0, requests: 0 }
    expect(record).toMatchObject({ blockedUntil: null, state: { nextAllowedAt: now, today } })
    await store.close()
  })

  it('is told, and nothing is changed, where the clock of now may be the wrong one', async () => {
    const store = await poisoned()
    for (const wrong of [start - 40 * 365 * DAY, start + 5 - 60]) {
      const { made, reported } = configuredAt(wrong)
      await setBackAtStart(made, store)
      expect(reported.join('')).toContain('revisit repair')
    }
    const visits = await store.visitsOf({ collection, url: url('a') })
    expect(visits.map(({ at }) => at)).toEqual([start + 10, start + ahead, start + ahead + 8])
    await store.close()
  })
})

it('a record of a host keeps times that may be', () => {
  const robots = { 'https://a.example': { until: now + 3600 } } as never
  const state = { ...newHost('a.example'), nextAllowedAt: now + 30, robots }
  expect(hostInTime(state, { now, longest: DAY })).toEqual(state)
})
