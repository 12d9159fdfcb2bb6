import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openController } from '../../src/crawler/page-planners.js'
import type { Store } from '../../src/model/store.js'
import { DAY } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { keepPrior, priorSetting, storedPrior } from '../../src/planner/collection/scan.js'
import { openPostgresStore } from '../../src/store/postgres/store.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { aVisit } from '../fixtures/a-visit.js'
import { newDatabase } from '../fixtures/postgres.js'
import { tempFolder } from '../fixtures/temp-folder.js'

const script = fileURLToPath(new URL('./sharing-process.mjs', import.meta.url))
const collection = 'shared'
const pages = 1_500

interface Line {
  readonly at: number
  readonly kind: 'scan' | 'learned' | 'known'
  readonly price?: number
  readonly prior?: string
}

/** Pages with eight visits each, of which half found a change, and none due for a year. */
async function visitedPages(store: Store): Promise<void> {
  const now = Date.now() / 1000
  const added = Array.from({ length: pages }, (_, at) => ({
    url: `https://h${at % 50}.example/${at}`,
  }))
  await store.addPages({ collection, pages: added, now: now - 10 * DAY })
  for (let from = 0; from < pages; from += 500) {
    const refs = added.slice(from, from + 500).map(({ url }) => ({ collection, url }))
    const leases = await store.leasePages({ pages: refs, now, ttl: 600, worker: 'past' })
    for (let visit = 0; visit < 8; visit++) {
      const results = await store.recordVisits(
        leases.map((lease, at) => ({
          lease,
          visit: aVisit({
            at: now - (9 - visit) * DAY,
            outcome: visit === 0 ? 'first' : (at + visit) % 2 === 0 ? 'changed' : 'unchanged',
            gap: visit === 0 ? null : DAY,
          }),
          due: { at: now + 365 * DAY, reason: 'set by hand' },
          keepLease: visit < 7,
        })),
      )
      expect(results.every((result) => result === 'recorded')).toBe(true)
    }
  }
}

/** So many processes on one store, and what each has said. */
function start(path: string, many: number) {
  return Array.from({ length: many }, () => {
    const child = spawn(process.execPath, [script, path, collection], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines: Line[] = []
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    onTestFinished(() => void child.kill('SIGKILL'))
    const last = () => lines.filter(({ kind }) => kind === 'known').at(-1)
    return { child, lines, ended, last }
  })
}

/** Seconds until it holds. */
async function until(holds: () => boolean | Promise<boolean>, within: number): Promise<number> {
  const began = performance.now()
  while (!(await holds())) {
    const waited = (performance.now() - began) / 1000
    expect(waited, `${holds}`).toBeLessThan(within)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return (performance.now() - began) / 1000
}

/** Stores that several processes can open, each by its address. */
const places = {
  file: async () => {
    const path = join(tempFolder(), 'revisit.db')
    return { path, store: await openSqliteStore({ path }) }
  },
  PostgreSQL: async () => {
    const path = await newDatabase()
    return { path, store: await openPostgresStore({ url: path }) }
  },
}

describe.each(Object.entries(places))('several processes on one %s store', (_, opened) => {
  it('scan and learn one at a time, take over from one that was killed, and have one price and prior', async () => {
    const { path, store } = await opened()
    onTestFinished(() => store.close())
    await visitedPages(store)
    const all = start(path, 3)
    const scans = (of: (typeof all)[number]) => of.lines.filter(({ kind }) => kind === 'scan')

    // One of them begins, and is killed in the midst of its scan.
    await until(() => all.some((each) => scans(each).length >= 3), 60)
    const killed = all.find((each) => scans(each).length > 0)!
    const others = all.filter((each) => each !== killed)
    expect(others.flatMap(scans)).toEqual([])
    expect((await store.chores()).map(({ name }) => name)).toEqual([`scan ${collection}`])
    killed.child.kill('SIGKILL')
    await until(() => others.some((each) => scans(each).length > 0), 60)

    // Another scans all pages, learns the prior once, and sets the price.
    await until(async () => (await store.getSetting(collection, 'auto-scan')) !== undefined, 60)
    const learned = others.flatMap(({ lines }) => lines).filter(({ kind }) => kind === 'learned')
    expect(learned).toHaveLength(1)
    const scanning = others.filter((each) => scans(each).length > 0)
    expect(scanning).toHaveLength(1)
    const same = (of: readonly (Line | undefined)[]) =>
      of.every((each) => each !== undefined) &&
      new Set(of.map((each) => `${each!.price} ${each!.prior}`)).size === 1
    await until(() => same(others.map((each) => each.last())), 10)

    // Another budget and another prior, by a process of its own: theirs within ten seconds.
    const before = others[0]!.last()!
    const worker = 'budget'
    const controller = await openController({
      ...{ store, collection, worker, random: new Random(1) },
      budget: { perPage: 1 },
    })
    await controller.changeBudget(100)
    await controller.settle({ now: Date.now() / 1000 })
    const prior = storedPrior(await store.getSetting(collection, priorSetting))!
    await keepPrior(
      { store, collection },
      { prior: { ...prior, how: 'set by hand' }, comparisons: 1e9 },
    )
    const isTheirs = () =>
      same(others.map((each) => each.last())) &&
      others.every((each) => each.last()!.price === controller.price) &&
      others.every((each) => each.last()!.prior !== before.prior)
    await until(isTheirs, 10)
    expect(controller.price).toBeGreaterThan(before.price!)

    for (const { child } of others) child.kill('SIGTERM')
    for (const { ended } of others) expect(await ended).toBe(0)
    expect(await store.workers({ now: Date.now() / 1000 })).toMatchObject([{ role: 'test' }])
  }, 400_000)
})
