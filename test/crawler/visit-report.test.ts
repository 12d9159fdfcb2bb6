import { describe, expect, it } from 'vitest'
import { malcolmArmitageLearner } from '../../src/estimators/rate/malcolm-armitage.js'
import type { FetchAnswer, FetchFault } from '../../src/model/fetcher.js'
import type { Lease } from '../../src/model/lease.js'
import type { PageRecord } from '../../src/model/page.js'
import type { Reader } from '../../src/model/reader.js'
import { DAY, HOUR, MINUTE } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import type { Planner } from '../../src/planner/step.js'
import { malcolmArmitage } from '../../src/policies/malcolm-armitage.js'
import { visitReport } from '../../src/visit/report.js'

const now = 1_700_000_000
const planner: Planner = { policy: malcolmArmitage(), learner: malcolmArmitageLearner }
const reader: Reader = {
  read: ({ body }) => ({ fingerprint: new TextDecoder().decode(body) }),
  lastModified: () => undefined,
}
const newPage: PageRecord = {
  id: '1',
  url: 'http://a.example/',
  collection: 'c',
  host: 'a.example',
  addedAt: now,
  importance: 1,
  tags: [],
  settings: {},
  due: { at: now, reason: 'new' },
  state: null,
  validators: {},
  fingerprint: null,
  hints: null,
  noise: null,
  movedTo: null,
  title: null,
  lastVisit: null,
  lastSeen: null,
  lastChange: null,
  visits: 0,
  changes: 0,
  failing: 0,
  gone: 0,
}
const answered = { status: 200, at: now, url: newPage.url, headers: {}, bytesReceived: 3 }
const content = (text: string, at = now): FetchAnswer => ({
  ...answered,
  at,
  kind: 'content',
  body: new TextEncoder().encode(text),
})

function report(answer: FetchAnswer, page: PageRecord = newPage) {
  const lease: Lease = { page, host: page.host, token: 1, worker: 'w', expiresAt: now + 300 }
  return visitReport({
    lease,
    answer,
    host: undefined,
    planner,
    reader,
    random: new Random(1),
    duration: 0.1,
  })
}

/** The page as a store would keep it after a report. */
function storedAfter(page: PageRecord, answer: FetchAnswer): PageRecord {
  const { visit, state, validators } = report(answer, page)
  return {
    ...page,
    lastSeen: visit.at,
    fingerprint: visit.fingerprint ?? page.fingerprint,
    state: state ?? page.state,
    validators: validators ?? {},
  }
}

describe('visitReport', () => {
  it('takes the first content as first, keeps it, and plans the next visit', () => {
    const { visit, content: kept, due, state } = report(content('one'))
    expect(visit).toMatchObject({ outcome: 'first', gap: null, fingerprint: 'one' })
    expect(kept?.body).toBeDefined()
    expect(due.at).toBe(now + 10 * MINUTE)
    expect(state?.learner).toBe('malcolm-armitage/malcolm-armitage')
  })

  it('tells a change from none by the fingerprint, and learns from the gap', () => {
    const page = storedAfter(newPage, content('one'))
    expect(report(content('one', now + HOUR), page).visit).toMatchObject({
      outcome: 'unchanged',
      gap: HOUR,
      fingerprint: null,
    })
    expect(report(content('one', now + HOUR), page).content).toBeUndefined()
    expect(report(content('two', now + HOUR), page).visit).toMatchObject({
      outcome: 'changed',
      gap: HOUR,
      fingerprint: 'two',
    })
  })

  it('takes a 304 as unchanged, and as nothing where nothing is kept', () => {
    const same: FetchAnswer = { ...answered, kind: 'not-modified', status: 304, at: now + HOUR }
    expect(report(same, storedAfter(newPage, content('one'))).visit).toMatchObject({
      outcome: 'unchanged',
      gap: HOUR,
      status: 304,
    })
    expect(report(same).visit).toMatchObject({ outcome: 'failed', fault: 'bad-answer', gap: null })
  })

  it.each([
    ['gone', { ...answered, kind: 'gone', status: 410 }, 'gone', DAY],
    ['refused', { ...answered, kind: 'refused', status: 403 }, 'refused', DAY],
    [
      'asked to come later',
      { ...answered, kind: 'later', status: 503, retryAfter: 120 },
      'failed',
      120,
    ],
    [
      'later at no named time',
      { ...answered, kind: 'later', status: 429, retryAfter: null },
      'failed',
      HOUR,
    ],
    [
      'failed',
      { kind: 'failed', fault: 'timeout', message: 'm', at: now, bytesReceived: 0 },
      'failed',
      10 * MINUTE,
    ],
  ] as const)(
    '%s: no observation, state untouched, tried again later',
    (_, answer, outcome, wait) => {
      const {
        visit,
        state,
        due,
        content: kept,
      } = report(answer as FetchAnswer, {
        ...storedAfter(newPage, content('one')),
        lastSeen: now - DAY,
      })
      expect(visit).toMatchObject({ outcome, gap: null })
      expect(state).toBeUndefined()
      expect(kept).toBeUndefined()
      expect(due.at).toBe(now + wait)
    },
  )

  it.each([
    [500, null, 'server-error', /^the server failed with status 500; tried again after 60 minutes/],
    [503, null, 'later', /^the server asked to come back later;/],
    [429, null, 'later', /^the server asked to come back later;/],
    [500, 60, 'later', /^the server asked to come back later; tried again after 60 seconds/],
  ] as const)('status %i, Retry-After %s: told as %s', (status, retryAfter, fault, reason) => {
    const { visit, due } = report({ ...answered, kind: 'later', status, retryAfter })
    expect(visit).toMatchObject({ outcome: 'failed', status, fault })
    expect(due.reason).toMatch(reason)
  })

  it('says what to set where a setting made the visit fail', () => {
    const failed = { kind: 'failed', message: 'm', at: now, bytesReceived: 0 } as const
    const reason = (fault: FetchFault) => report({ ...failed, fault }).due.reason
    expect(reason('address-refused')).toMatch(/^the visit failed \(address-refused: .*allowed-net/)
    expect(reason('no-contact')).toMatch(/set contact to/)
    expect(reason('no-browser')).toMatch(/npx playwright-core install chromium/)
    expect(reason('dns')).toMatch(/^the visit failed \(dns\); tried again/)
  })

  it('backs off twice as long with each failure in a row, up to a limit', () => {
    const failed: FetchAnswer = {
      kind: 'failed',
      fault: 'dns',
      message: 'm',
      at: now,
      bytesReceived: 0,
    }
    const waits = [0, 1, 2, 30].map(
      (failing) => (report(failed, { ...newPage, failing }).due.at as number) - now,
    )
    expect(waits).toEqual([10 * MINUTE, 20 * MINUTE, 40 * MINUTE, DAY])
  })

  it('records a visit though the clock was set back', () => {
    const page = storedAfter(newPage, content('one'))
    const { visit } = report(content('two', now - HOUR), page)
    expect(visit.at).toBeGreaterThan(page.lastSeen!)
    expect(visit.gap).toBeGreaterThan(0)
  })

  it('keeps until when a list reported no change, whatever the policy', () => {
    const hint = (unchangedUntil: number) => ({
      kinds: {
        sitemap: {
          ...{ claim: { says: 'changed-at', at: now + 5 * HOUR }, reportedAt: now + 6 * HOUR },
          ...{ tally: [20, 20, 10, 4], rating: [0.98, 1], unchangedUntil },
        },
      },
    })
    const page = storedAfter(newPage, content('one'))
    const visit = (text: string, unchangedUntil: number) =>
      report(content(text, now + 7 * HOUR), { ...page, hints: hint(unchangedUntil) }).visit
    expect(visit('two', now + 4 * HOUR)).toMatchObject({ gap: 7 * HOUR, unchangedFor: 4 * HOUR })
    expect(visit('two', now - HOUR)).not.toHaveProperty('unchangedFor')
    expect(visit('one', now + 4 * HOUR)).not.toHaveProperty('unchangedFor')
    expect(report(content('two', now + 7 * HOUR), page).visit).not.toHaveProperty('unchangedFor')
  })

  it('starts anew with a learner that cannot read what another learned', () => {
    const page = {
      ...storedAfter(newPage, content('one')),
      state: { learner: 'other/none', numbers: Float64Array.of(1) },
    }
    const { visit, due } = report(content('two', now + DAY), page)
    expect(visit.outcome).toBe('changed')
    expect(due.at).toBeGreaterThan(now + DAY)
  })
})
