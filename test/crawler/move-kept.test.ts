import { describe, expect, it } from 'vitest'
import type { FetchAnswer } from '../../src/model/fetcher.js'
import type { Outcome } from '../../src/model/history.js'
import type { PageRecord } from '../../src/model/page.js'
import type { VisitReport } from '../../src/model/visit-record.js'
import { askedAddress, asksHome, moveKept } from '../../src/visit/request.js'
import { aVisit } from '../fixtures/a-visit.js'

const home = 'http://a.example/'
const target = 'http://b.example/x'

function moved(
  outcome: Outcome,
  counts: Partial<Pick<PageRecord, 'gone' | 'failing'>> = {},
): PageRecord {
  return {
    id: '1',
    url: home,
    collection: 'c',
    host: 'a.example',
    addedAt: 0,
    importance: 1,
    tags: [],
    settings: {},
    due: { at: 0, reason: '' },
    state: null,
    validators: {},
    fingerprint: 'f',
    hints: null,
    noise: null,
    movedTo: target,
    title: null,
    lastVisit: { at: 1, outcome, status: null },
    lastSeen: 1,
    lastChange: null,
    visits: 1,
    changes: 0,
    failing: 0,
    gone: 0,
    ...counts,
  }
}

describe('the address of a page that has moved', () => {
  it.each([
    ['first', {}, false],
    ['changed', {}, false],
    ['unchanged', {}, false],
    ['gone', { gone: 1 }, true],
    ['gone', { gone: 2 }, false],
    ['gone', { gone: 3 }, true],
    ['refused', { failing: 1 }, true],
    ['refused', { failing: 2 }, false],
    // One failure may be of the network; twice in a row is worth a look.
    ['failed', { failing: 1 }, false],
    ['failed', { failing: 2 }, true],
    ['failed', { failing: 3 }, false],
  ] as const)('after %s %o is its own again: %s', (outcome, counts, asks) => {
    const page = moved(outcome, counts)
    expect(asksHome(page)).toBe(asks)
    expect(askedAddress(page)).toEqual({ url: asks ? home : target })
    expect(asksHome({ ...page, movedTo: null })).toBe(false)
  })

  it('is asked with the headers of the page, and told whose they are', () => {
    const headers = { cookie: 'a=b' }
    const page = { ...moved('unchanged'), settings: { headers } }
    expect(askedAddress(page)).toEqual({ url: target, home, headers })
    expect(askedAddress({ ...page, movedTo: null })).toEqual({ url: home, headers })
  })
})

describe('a remembered move', () => {
  const answered = { status: 200, at: 2, headers: {}, bytesReceived: 0 }
  const content = (url: string): FetchAnswer => ({
    ...answered,
    url,
    kind: 'content',
    body: new Uint8Array(),
  })
  const gone = (url: string): FetchAnswer => ({ ...answered, url, status: 404, kind: 'gone' })
  const failed: FetchAnswer = {
    kind: 'failed',
    fault: 'timeout',
    message: '',
    at: 2,
    bytesReceived: 0,
  }

  /** What is to be stored of the move after a visit; undefined leaves it. */
  function moveAfter(
    answer: FetchAnswer,
    { page = moved('gone', { gone: 1 }), outcome = 'gone' } = {},
  ) {
    const lease = { page: { id: '1' }, token: 1 }
    const visit = aVisit({ at: 2, outcome: outcome as Outcome })
    const report: VisitReport = { lease, visit, due: { at: 3, reason: '' } }
    return moveKept(report, { page, answer }).movedTo
  }

  it('is forgotten when the page is at its own address, or led elsewhere', () => {
    expect(moveAfter(content(home), { outcome: 'changed' })).toBeNull()
    // By a redirect that is not for good.
    expect(moveAfter(content(target), { outcome: 'unchanged' })).toBeNull()
    expect(moveAfter(gone('http://c.example/'))).toBeNull()
  })

  it('stays where nothing new was told, or its own address was not asked', () => {
    expect(moveAfter(gone(home))).toBeUndefined()
    expect(moveAfter(gone(`${target}#part`))).toBeUndefined()
    expect(moveAfter(failed, { outcome: 'failed' })).toBeUndefined()
    // A content that cannot be read tells nothing.
    expect(moveAfter(content(home), { outcome: 'failed' })).toBeUndefined()
    expect(
      moveAfter(content(target), { page: moved('unchanged'), outcome: 'changed' }),
    ).toBeUndefined()
  })
})
