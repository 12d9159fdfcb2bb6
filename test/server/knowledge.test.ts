import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { stateSummary } from '../../src/planner/learned-step.js'
import { rateEstimators } from '../../src/planner/registry.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { aVisit } from '../fixtures/a-visit.js'
import { type AService, aService, collection } from './a-service.js'

const url = 'https://a.example/'

function post(
  { app }: AService,
  path: string,
  { type, payload }: { type: string; payload: string | Buffer },
) {
  const headers = { host: 'localhost', 'content-type': type }
  return app.inject({ method: 'POST', url: path, headers, payload })
}

// Daily visits from 14 November 2023: changed, unchanged, changed, unchanged.
const log = ['first', 'changed', 'unchanged', 'changed', 'unchanged']
  .map((outcome, day) => `${url},${1_699_920_000 + day * 86_400},${outcome}`)
  .join('\n')
const csv = `url,at,changed\n${log}\n`
const now = { now: () => 1.701e9, sleep: async () => {} }

/** All visits of a service taken to a new one, by way of a file. */
async function exportedAndImported({ ask }: AService, format: 'csv' | 'jsonl') {
  const out = await ask('GET', `/api/export/visits?format=${format}`)
  const other = await aService({ clock: now })
  const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson'
  const back = await post(other, '/api/import/visits', { type, payload: out.json as string })
  return { other, back }
}

describe('what is known of a page', () => {
  it('is planned anew at once when its policy is changed', async () => {
    const service = await aService({ clock: now })
    const { ask } = service
    await post(service, '/api/import/visits', { type: 'text/csv', payload: csv })
    // Last seen on 18 November, long before now: due within the gap from now on.
    const policy = (settings: object) => ask('PATCH', '/api/pages/1', { settings })
    const { json } = await policy({ policy: 'fixed:gap=2h' })
    const { due } = json as { due: { at: number; reason: string } }
    expect(due.reason).toBe('every page every 2 hours')
    expect(due.at).toBeGreaterThanOrEqual(now.now())
    expect(due.at).toBeLessThanOrEqual(now.now() + 7200)
    const set = await ask('PATCH', '/api/pages/1', {
      settings: { policy: 'fixed:gap=3h' },
      due: { at: now.now() + 5 },
    })
    expect(set.json).toMatchObject({ due: { at: now.now() + 5, reason: 'set by hand' } })
  })

  it('is forgotten for good, also where more is changed, and learned anew from then on', async () => {
    const service = await aService({ clock: now, policy: 'auto' })
    const { ask } = service
    await post(service, '/api/import/visits', { type: 'text/csv', payload: csv })
    /** Visits and changes that the learner has counted, in front of its own numbers. */
    const learned = async () => {
      const page = await service.store.getPage({ collection, url })
      const { visits, changes } = stateSummary(page!.state)!
      return [visits, changes]
    }
    expect(await learned()).toEqual([5, 2])
    await ask('PATCH', '/api/pages/1', { forget: true, importance: 2 })
    expect(await learned()).toEqual([1, 0])
    await ask('PATCH', '/api/pages/1', { importance: 3 })
    await service.parts.controller!.settle({ now: now.now() })
    expect(await learned()).toEqual([1, 0])
  })

  it('is left due where somebody set it', async () => {
    const service = await aService({ clock: now })
    const { ask } = service
    await post(service, '/api/import/visits', { type: 'text/csv', payload: csv })
    await ask('PATCH', '/api/pages/1', { due: { at: 'never', reason: 'rebuilt' } })
    const { json } = await ask('PATCH', '/api/pages/1', {
      importance: 2,
      settings: { longest: 60 },
    })
    expect(json).toMatchObject({ due: { at: 'never', reason: 'set by hand: rebuilt' } })
  })

  it('is estimated by every method, also where nothing is known', async () => {
    const service = await aService({ clock: now })
    const { ask } = service
    await post(service, '/api/import/visits', { type: 'text/csv', payload: csv })
    await ask('POST', '/api/pages', { pages: [{ url: 'https://b.example/' }] })
    const one = await ask('GET', '/api/pages/1/estimate?method=bias-reduced&level=0.9')
    // By hand: 2 of 4 daily gaps unchanged, so -ln(2.5 / 4.5) = 0.5878 changes a day.
    const { changeRate, bounds, evidence } = one.json as {
      changeRate: number
      bounds: { level: number }
      evidence: object
    }
    expect(changeRate * 86_400).toBeCloseTo(0.5878, 4)
    expect(bounds.level).toBe(0.9)
    expect(evidence).toMatchObject({ visits: 5, observations: 4, changes: 2 })
    const { json } = await ask('GET', '/api/pages/1/estimates')
    const { estimates } = json as { estimates: { method: string }[] }
    expect(estimates.map(({ method }) => method)).toEqual(rateEstimators.map(({ name }) => name))
    expect((await ask('GET', '/api/pages/2/estimate')).json).toMatchObject({
      verdict: 'no-observation',
      changeRate: null,
      evidence: { visits: 0 },
    })
    const why = await ask('GET', '/api/pages/1/why')
    expect(why.json).toMatchObject({ policy: { name: 'malcolm-armitage' }, hostRestsUntil: null })
    const { due } = why.json as { due: { reason: string } }
    expect(due.reason.length).toBeGreaterThan(10)
  })

  it('has one estimate of a page that follows the default, and a law without another', async () => {
    const service = await aService({ clock: now, policy: 'auto' })
    const rows = Array.from({ length: 12 }, (_, day) => {
      const outcome = day === 0 ? 'first' : day % 3 === 0 ? 'changed' : 'unchanged'
      return `${url},${1_699_000_000 + day * 86_400},${outcome}`
    })
    const payload = `url,at,changed\n${rows.join('\n')}\n`
    await post(service, '/api/import/visits', { type: 'text/csv', payload })
    const page = (await service.ask('GET', '/api/pages/1')).json as { changePeriod: number }
    const why = (await service.ask('GET', '/api/pages/1/why')).json as {
      changePeriod: number
      estimate: { method: string; changePeriod: number; bounds: object }
      posterior: { law: string; bounds: object }
    }
    expect(why.estimate.method).toBe('auto')
    expect(why.estimate.changePeriod).toBeCloseTo(page.changePeriod, 3)
    expect(why.changePeriod).toBe(page.changePeriod)
    expect(why.posterior.bounds).toEqual(why.estimate.bounds)
    expect(why.posterior.law).not.toContain('about every')
  })

  it('has the unchanged beginnings of gaps, in and out, and in its estimates', async () => {
    const service = await aService({ clock: now })
    const at = (day: number) => 1_699_920_000 + day * 86_400
    // Changed at each of two daily visits, but a list told of no change for 18 hours of each gap.
    const rows = [`${at(0)},first,`, `${at(1)},changed,64800`, `${at(2)},changed,64800`]
    const payload = `url,at,changed,unchanged_for\n${rows.map((row) => `${url},${row}`).join('\n')}\n`
    await post(service, '/api/import/visits', { type: 'text/csv', payload })
    const { ask } = service
    const { observations } = (await ask('GET', '/api/pages/1/history')).json as {
      observations: object[]
    }
    expect(observations[1]).toEqual({ at: at(2), gap: 86_400, changed: true, unchangedFor: 64_800 })
    const { visits } = (await ask('GET', '/api/pages/1/visits')).json as { visits: object[] }
    expect(visits[1]).toMatchObject({ outcome: 'changed', unchangedFor: 64_800 })
    const reported = (await ask('GET', '/api/pages/1/estimate')).json
    // By hand: two gaps of 6 h with a change, 36 h without: ln(4 / 3) / 6 changes an hour.
    expect((reported as { changePeriod: number }).changePeriod / 3600).toBeCloseTo(20.8564, 3)
    expect(reported).toMatchObject({
      verdict: 'ok',
      evidence: { visits: 3, unchangedTime: 129_600 },
    })
    const before = await service.store.visitsOf({ collection, url })
    for (const format of ['csv', 'jsonl'] as const) {
      const { other } = await exportedAndImported(service, format)
      expect(await other.store.visitsOf({ collection, url })).toEqual(before)
    }
  })

  it('is taken from a log without a contact, and told line by line why not', async () => {
    const service = await aService({ clock: now, contact: null })
    const rows = ['http://127.0.0.1/', 'ftp://a.example/'].map((bad) => `${bad},1699920000,first\n`)
    const answer = await post(service, '/api/import/visits', {
      type: 'text/csv',
      payload: `${csv}${rows.join('')}`,
    })
    expect(answer.json()).toMatchObject({ visits: 5, badLines: 2 })
    const { problems } = answer.json() as { problems: { code: string; message: string }[] }
    expect(problems.map(({ code }) => code)).toEqual(['address-refused', 'bad-url'])
    expect(problems[0]!.message).toMatch(/allowed-networks can allow it/)
    const added = await service.ask('POST', '/api/pages', { pages: [{ url }] })
    expect(added.json).toMatchObject({ refused: [{ code: 'no-contact' }] })
  })

  it('goes out and comes in again', async () => {
    const service = await aService({ clock: now })
    const payload = gzipSync(csv)
    const first = await post(service, '/api/import/visits', { type: 'text/csv', payload })
    expect(first.json()).toMatchObject({ pages: 1, newPages: 1, visits: 5, late: 0, badLines: 0 })
    const again = await post(service, '/api/import/visits', { type: 'text/csv', payload: csv })
    expect(again.json()).toMatchObject({ visits: 0, late: 5 })
    const { ask } = service
    for (const format of ['csv', 'jsonl'] as const) {
      const { other, back } = await exportedAndImported(service, format)
      expect(back.json()).toMatchObject({ visits: 5, badLines: 0 })
      expect(await other.store.visitsOf({ collection, url })).toEqual(
        await service.store.visitsOf({ collection, url }),
      )
    }
    await ask('PATCH', '/api/pages/1', { group: 'g', importance: 2, settings: { policy: 'nutch' } })
    const pages = await ask('GET', '/api/export/pages')
    const other = await aService({ clock: now })
    const lines = `${pages.json as string}\n# a comment\nhttps://c.example/\n{"url":3}\nno page\n`
    const back = await post(other, '/api/import/pages', {
      type: 'application/x-ndjson',
      payload: lines,
    })
    expect(back.json()).toMatchObject({
      added: 2,
      refused: 2,
      problems: [
        { line: 5, code: 'bad-line', message: 'this line is no page: /url must be string' },
        { line: 6, code: 'bad-url' },
      ],
    })
    expect(await other.store.getPage({ collection, url })).toMatchObject({
      group: 'g',
      importance: 2,
      settings: { policy: 'nutch' },
    })
  })

  it('has its versions, as text and compared', async () => {
    const { ask, store, clock } = await aService()
    await ask('POST', '/api/pages', { pages: [{ url }] })
    const bodies = ['<title>T</title><p>one<p>two', '<title>T</title><p>one<p>three']
    for (const [i, body] of bodies.entries()) {
      const at = clock.now() + i
      const [lease] = await store.leasePages({ pages: [{ id: '1' }], now: at, ttl: 9, worker: 'w' })
      const visit = aVisit({ at, outcome: i === 0 ? 'first' : 'changed' })
      const content = { body: Buffer.from(body), mediaType: 'text/html' }
      await store.recordVisits([{ lease: lease!, visit, due: { at, reason: '' }, content }])
    }
    const { json } = await ask('GET', '/api/pages/1/versions')
    const { versions } = json as { versions: { digest: string; bytes: number }[] }
    expect(versions.map(({ bytes }) => bytes)).toEqual(bodies.map((body) => body.length))
    const shown = (what: string) =>
      ask('GET', `/api/pages/1/versions/${versions[0]!.digest}/${what}`)
    expect((await shown('text')).json).toBe('T\none\ntwo')
    expect((await shown('source')).json).toBe(bodies[0])
    expect((await shown('frame')).json).toBe(bodies[0])
    const diff = await ask('GET', '/api/pages/1/diff')
    expect(diff.json).toMatchObject({
      from: { digest: versions[0]!.digest },
      to: { digest: versions[1]!.digest },
      whole: false,
      note: null,
      lines: [
        { kind: 'same', text: 'one' },
        { kind: 'removed', text: 'two' },
        { kind: 'added', text: 'three' },
      ],
    })
    const whole = await ask('GET', '/api/pages/1/diff?whole=true')
    expect(whole.json).toMatchObject({ whole: true })
    expect((whole.json as { lines: unknown[] }).lines[0]).toMatchObject({ kind: 'same', text: 'T' })
    expect(await ask('GET', `/api/pages/1/diff?to=${'0'.repeat(64)}`)).toMatchObject({
      status: 404,
    })
  })
})

describe('what operators see', () => {
  it('is in the metrics', async () => {
    const { ask, store, clock, parts } = await aService()
    const at = clock.now()
    await ask('POST', '/api/pages', { pages: [{ url }, { url: 'https://b.example/' }] })
    const [lease] = await store.leasePages({ pages: [{ id: '1' }], now: at, ttl: 9, worker: 'w' })
    const host = { host: 'a.example', state: {}, blockedUntil: at + 50 }
    const visit = aVisit({ at, outcome: 'unchanged', status: 304, bytes: 120, duration: 0.3 })
    const due = { at: at + 5, reason: '' }
    await store.recordVisits([{ lease: lease!, visit, due, host }])
    await clock.sleep(8)
    parts.feed.nudge()
    await parts.feed.grown(0, AbortSignal.timeout(5000))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const text = (await ask('GET', '/metrics')).json as string
    for (const line of [
      'revisit_visits_total{outcome="unchanged"} 1',
      'revisit_bytes_received_total 120',
      'revisit_not_modified_total 1',
      'revisit_pages 2',
      'revisit_due_pages 2',
      'revisit_due_lag_seconds 8',
      'revisit_resting_hosts 1',
    ])
      expect(text).toContain(`${line}\n`)
  })

  it('says within seconds that the store does not answer, while calls wait for its server', async () => {
    const store = openMemoryStore()
    const { ask } = await aService({ store })
    expect(await ask('GET', '/ready')).toMatchObject({ status: 200 })
    store.lastVisitNumber = () => new Promise<number>(() => {})
    expect(await ask('GET', '/ready')).toEqual({
      status: 503,
      json: { status: 'the store does not answer' },
    })
    expect(await ask('GET', '/health')).toMatchObject({ status: 200 })
  })

  it('tells whether the loop runs', async () => {
    const { ask } = await aService({ parts: { loop: { running: false, underWay: 0 } } })
    expect(await ask('GET', '/health')).toMatchObject({ status: 200 })
    expect(await ask('GET', '/ready')).toMatchObject({ status: 503 })
    expect((await ask('GET', '/api/settings')).json).toMatchObject({
      settings: { policy: 'malcolm-armitage' },
    })
    const { json } = await ask('GET', '/api/methods')
    expect((json as { estimators: object[] }).estimators).toHaveLength(rateEstimators.length)
  })
})
