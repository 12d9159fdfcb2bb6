import { describe, expect, it } from 'vitest'
import type { FetchAnswer } from '../../src/model/fetcher.js'
import type { Store } from '../../src/model/store.js'
import { hostHintsJson } from '../../src/model/stored-hints.js'
import { DAY, HOUR } from '../../src/model/units.js'
import type { VisitReport } from '../../src/model/visit-record.js'
import { Random } from '../../src/numeric/random.js'
import { withHints } from '../../src/planner/evidence/with-hints.js'
import type { Planner } from '../../src/planner/step.js'
import { fixed } from '../../src/policies/fixed-and-random.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { publisherReader } from '../../src/visit/discovery.js'
import { Findings } from '../../src/visit/findings.js'
import { aVisit } from '../fixtures/a-visit.js'

const now = Date.UTC(2026, 5, 1, 12, 30) / 1000
const collection = 'c'
const base = 'http://a.example'
const listening: Planner = { policy: withHints(fixed({ gap: 30 * DAY })), learner: null }
const deaf: Planner = { policy: fixed({ gap: 30 * DAY }), learner: null }
/** Twenty visits, all predicted, half of them changed. */
const proven = { predicted: 20, right: 20, changed: 10, lead: 4 }

interface Listed {
  readonly path: string
  readonly lastmod: number
}

const sitemap = (entries: readonly Listed[]) =>
  `<urlset>${entries
    .map(
      ({ path, lastmod }) =>
        `<url><loc>${base}${path}</loc><lastmod>${new Date(lastmod * 1000).toISOString()}</lastmod></url>`,
    )
    .join('')}</urlset>`

const answered = (body: string, path: string): FetchAnswer => ({
  kind: 'content',
  status: 200,
  at: now,
  url: base + path,
  headers: { 'content-type': 'application/xml' },
  bytesReceived: body.length,
  body: new TextEncoder().encode(body),
})

/** A store with a list and a page that was last seen ten days ago and is due in twenty. */
async function webWith({ planner, tally }: { planner: Planner; tally?: typeof proven }) {
  const store = openMemoryStore()
  const discover = { depth: 1, pages: 10, include: [], exclude: [] }
  await store.addPages({
    collection,
    now: now - 20 * DAY,
    pages: [{ url: `${base}/map.xml`, settings: { role: 'list', discover } }, { url: `${base}/p` }],
  })
  await visited(store, `${base}/p`, now - 10 * DAY)
  await visited(store, `${base}/map.xml`, now - 10 * DAY)
  const findings = new Findings({
    store,
    publisher: publisherReader(),
    plannerFor: () => planner,
    random: new Random(1),
  })
  const hints = hostHintsJson({
    tallies: tally === undefined ? {} : { sitemap: tally },
    polled: {},
  })
  return {
    store,
    async poll(entries: readonly Listed[], outcome: 'changed' | 'unchanged' = 'changed') {
      const page = (await store.getPage({ collection, url: `${base}/map.xml` }))!
      const host = { host: 'a.example', state: null, blockedUntil: null, hints }
      const report = { visit: aVisit({ at: now, outcome }), host } as VisitReport
      await findings.take({ answer: answered(sitemap(entries), '/map.xml'), page, host, report })
    },
    page: async () => (await store.getPage({ collection, url: `${base}/p` }))!,
  }
}

async function visited(store: Store, url: string, at: number): Promise<void> {
  const terms = { now: at, ttl: 60, worker: 'w' }
  const [lease] = await store.leasePages({ ...terms, pages: [{ collection, url }] })
  const numbers = Float64Array.of(1, 0, 30 * DAY)
  const state = { learner: 'fixed/none', numbers }
  const due = { at: at + 30 * DAY, reason: 'every page every 30 days' }
  const visit = aVisit({ at, outcome: 'first' })
  await store.recordVisits([{ lease: lease!, visit, due, state }])
}

describe("a list's change signals", () => {
  const changed = [{ path: '/p', lastmod: now - HOUR }]

  it('make a page due at once where such signals proved right', async () => {
    const { poll, page } = await webWith({ planner: listening, tally: proven })
    await poll(changed)
    const after = await page()
    expect(after.due.at).toBe(now)
    expect(after.due.reason).toContain('its sitemap says that it changed')
    expect(after.hints).toMatchObject({
      early: true,
      kinds: { sitemap: { reportedAt: now, source: '1' } },
    })
  })

  it.each([
    ['they have proved nothing yet', { planner: listening }, changed],
    ['they proved wrong', { planner: listening, tally: { ...proven, lead: -4 } }, changed],
    ['the policy does not listen', { planner: deaf, tally: proven }, changed],
    [
      'the change was seen',
      { planner: listening, tally: proven },
      [{ path: '/p', lastmod: now - 11 * DAY }],
    ],
    [
      'the date is in the future',
      { planner: listening, tally: proven },
      [{ path: '/p', lastmod: now + DAY }],
    ],
  ])('change no due time where %s, but are kept', async (_, made, entries) => {
    const { poll, page } = await webWith(made)
    await poll(entries)
    const after = await page()
    expect(after.due.at).toBe(now + 20 * DAY)
    expect(after.hints).toMatchObject({
      kinds: { sitemap: { claim: { at: entries[0]!.lastmod } } },
    })
  })

  it('do not revive a page that is visited no more', async () => {
    const { store, poll, page } = await webWith({ planner: listening, tally: proven })
    const due = { at: 'never', reason: 'unwatched' } as const
    await store.changePage({ collection, url: `${base}/p` }, { due })
    await poll(changed)
    expect((await page()).due.at).toBe('never')
  })

  it('are not read again while the list stays as it is', async () => {
    const { poll, page } = await webWith({ planner: listening, tally: proven })
    await poll(changed, 'unchanged')
    expect((await page()).hints).toBeNull()
  })

  it('bring new pages, once, up to the limit, with what is said of them', async () => {
    const { store, poll } = await webWith({ planner: listening })
    const many = Array.from({ length: 30 }, (_, i) => ({
      path: `/new-${'x'.repeat(i + 1)}`,
      lastmod: now,
    }))
    await poll(many)
    await poll(many)
    expect(await store.countPages({ collection })).toBe(2 + 10)
    const first = await store.getPage({ collection, url: `${base}/new-x` })
    expect(first).toMatchObject({
      due: { at: now, reason: `found at ${base}/map.xml` },
      hints: { kinds: { sitemap: { claim: { says: 'changed-at', at: now } } } },
    })
  })
})
