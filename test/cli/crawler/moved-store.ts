import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Store } from '../../../src/model/store.js'
import { Random } from '../../../src/numeric/random.js'
import { isServerAddress } from '../../../src/store/postgres/server/address.js'
import { openPostgresStore } from '../../../src/store/postgres/store.js'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { aVisit } from '../../fixtures/a-visit.js'

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))
const start = 1_700_000_000

/** A store with all that can be moved: so many pages, each with as many visits, in the order of time. */
export async function fill(
  store: Store,
  {
    collection,
    pages,
    visits,
    seed,
  }: {
    readonly collection: string
    readonly pages: number
    readonly visits: number
    readonly seed: number
  },
): Promise<void> {
  const random = new Random(seed)
  const urls = Array.from({ length: pages }, (_, at) => `https://h${at % 97}.example/${at}`)
  for (let from = 0; from < pages; from += 1_000)
    await store.addPages({
      collection,
      now: start + from,
      pages: urls.slice(from, from + 1_000).map((url, at) => ({
        url,
        importance: 1 + (at % 5),
        ...(at % 3 === 0 ? { group: 'third', tags: ['a', 'ü'] } : {}),
        ...(at === 7 ? { settings: { role: 'list' } } : {}),
      })),
    })
  const list = (await store.getPage({ collection, url: urls[7]! }))!.id
  for (let visit = 0; visit < visits; visit++)
    for (let from = 0; from < pages; from += 500) {
      const refs = urls.slice(from, from + 500).map((url) => ({ collection, url }))
      const at = start + 100_000 + visit * 5_000
      const leases = await store.leasePages({ pages: refs, worker: 'fill', now: at, ttl: 60 })
      await store.recordVisits(
        leases.map((lease, place) => {
          const changed = visit === 0 || random.uniform() < 0.2
          const failed = visit > 0 && random.uniform() < 0.05
          const text = `${lease.page.url} ${changed ? visit : ''}`
          const outcome = failed
            ? 'failed'
            : visit === 0
              ? 'first'
              : changed
                ? 'changed'
                : 'unchanged'
          return {
            lease,
            visit: aVisit({
              at: at + place / 1000,
              outcome,
              status: failed ? null : 200,
              gap: visit === 0 || failed ? null : 5_000,
              bytes: text.length,
              fault: failed ? 'timeout' : null,
              fingerprint: changed && !failed ? text : null,
            }),
            due: { at: at + 1e6 * random.uniform(), reason: `planned ${visit}` },
            validators: { etag: `"${visit}"` },
            title: `Title ${visit}`,
            state: {
              learner: 'l',
              numbers: Float64Array.of(visit, -0, Number.NaN, random.uniform()),
            },
            hints: { kinds: { sitemap: { source: list, claim: visit } } },
            ...(changed && !failed && place % 10 === 0
              ? {
                  content: {
                    body: Buffer.from(text),
                    mediaType: 'text/plain',
                    headers: { a: 'b' },
                  },
                }
              : {}),
            host: {
              host: lease.page.host,
              state: { visit },
              blockedUntil: null,
              fence: { token: lease.token, step: 1 },
            },
          }
        }),
      )
    }
  const last = await store.lastVisitNumber()
  await store.putSetting(collection, 'auto-lists', { [list]: 3 })
  await store.outbox.addChannel({
    ...{ collection, name: 'hook', settings: { kind: 'webhook' }, now: start, cursor: last },
  })
  const [newest] = await store.visitLog({
    collection,
    changesOnly: true,
    newestFirst: true,
    limit: 1,
  })
  await store.inbox.add(collection, [
    {
      ...{ number: newest!.number, page: newest!.page.id, at: newest!.at, previous: null },
      ...{ title: 'T', removed: 'old', added: 'new', share: 0.5, note: null, text: 'old new' },
    },
  ])
}

function looking(path: string): Promise<Store> {
  return isServerAddress(path)
    ? openPostgresStore({ url: path, readOnly: true, connections: 1 })
    : openSqliteStore({ path, readOnly: true })
}

/** A move that is killed once the target has so many visits. */
export async function killedMove(from: string, to: string, visits: number): Promise<void> {
  const child = spawn(process.execPath, [main, 'move', from, to], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const over = { yet: false }
  void ended.then(() => {
    over.yet = true
  })
  for (;;) {
    if (over.yet) throw new Error('it ended before it was killed')
    const target = await looking(to).catch(() => null)
    const moved = target === null ? 0 : (await target.totals()).visits
    await target?.close()
    if (moved >= visits) break
    await new Promise((resolve) => setTimeout(resolve, isServerAddress(to) ? 100 : 5))
  }
  child.kill('SIGKILL')
  await ended
}
