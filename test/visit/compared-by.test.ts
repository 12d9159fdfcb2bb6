import { describe, expect, it } from 'vitest'
import { withPicture } from '../../src/content/kept-picture.js'
import { pageReader } from '../../src/content/page-reader.js'
import type { FetchAnswer } from '../../src/model/fetcher.js'
import type { Lease } from '../../src/model/lease.js'
import type { PageRecord } from '../../src/model/page.js'
import type { Version } from '../../src/model/store.js'
import { type ComparedBy, comparableLease, contentSeen } from '../../src/visit/comparison.js'
import { lookOf } from '../../src/visit/pixel-comparison.js'
import { picture } from '../fixtures/picture.js'

const html = Buffer.from('<p>text</p>')

function answer(screenshot?: Uint8Array): FetchAnswer & { kind: 'content' } {
  const headers = { 'content-type': 'text/html' }
  const content = { status: 200, at: 1.7e9, url: 'http://a.test/', headers, bytesReceived: 1 }
  const shot = screenshot === undefined ? {} : { screenshot }
  return { kind: 'content', ...content, body: html, ...shot }
}

function pageWith(fingerprint: string | null, settings: PageRecord['settings'] = {}): PageRecord {
  const seen = { lastSeen: 1.6e9, lastVisit: null, validators: {}, noise: null }
  return { url: 'http://a.test/', settings, fingerprint, ...seen } as unknown as PageRecord
}

function seen(given: FetchAnswer & { kind: 'content' }, page: PageRecord, comparedBy?: ComparedBy) {
  const comparison = contentSeen(given, { page, reader: pageReader, comparedBy })
  if ('fault' in comparison) throw new Error(comparison.fault)
  const { outcome, fingerprint } = comparison
  return { outcome, fingerprint }
}

describe('a page that is compared by how it looks', () => {
  const settings = (pixels: number) => ({ browser: true, reading: { compare: 'pixels', pixels } })

  /** Visited with a screenshot, where another was kept. */
  async function visited(page: PageRecord, now: Uint8Array, kept: Uint8Array | null) {
    const store = {
      versionsOf: async () => (kept === null ? [] : [{ digest: 'd' } as Version]),
      snapshot: async () => (kept === null ? null : withPicture(html, kept)),
    }
    const look = await lookOf(answer(now), page, store)
    return seen(answer(now), page, { look: look! })
  }

  it('has changed where more of its pixels differ than its rules allow', async () => {
    const first = await visited(pageWith(null, settings(5)), picture(), null)
    expect(first.outcome).toBe('first')
    expect(first.fingerprint).toMatch(/^r\.[\da-f]{10}:pixels [\da-f]{32}$/)
    const page = pageWith(first.fingerprint, settings(5))
    // 9 of 1,000 pixels, and a tenth of them.
    const alike = await visited(page, picture({ square: 3 }), picture())
    expect(alike).toEqual({ outcome: 'unchanged', fingerprint: null })
    const other = await visited(page, picture({ square: 10 }), picture())
    expect(other.outcome).toBe('changed')
    expect(other.fingerprint).toMatch(/^r\.[\da-f]{10}:pixels [\da-f]{32}$/)
    expect(other.fingerprint).not.toBe(first.fingerprint)
  })

  it('cannot be compared with what was seen by other rules', async () => {
    const { fingerprint } = await visited(pageWith(null, settings(5)), picture(), null)
    const page = pageWith(fingerprint, settings(20))
    expect(await visited(page, picture(), picture())).toMatchObject({ outcome: 'first' })
  })

  it('is compared by its text where no screenshot came', async () => {
    const store = { versionsOf: async () => [], snapshot: async () => null }
    expect(await lookOf(answer(), pageWith(null, settings(5)), store)).toBeUndefined()
  })
})

describe('a page of which a client sent its own digest', () => {
  it('is seen whatever rules it has for being read: of its content nothing came', () => {
    const page = pageWith('told:abc', { reading: { select: ['#price'] } })
    const bare = { ...answer(), body: new Uint8Array() }
    expect(seen(bare, page, { digest: 'abc' }).outcome).toBe('unchanged')
    expect(seen(bare, page, { digest: 'abd' })).toEqual({
      outcome: 'changed',
      fingerprint: 'told:abd',
    })
  })

  it('is compared by that', () => {
    // As stores of 0.1 have it.
    expect(seen(answer(), pageWith(null), { digest: 'abc' })).toEqual({
      outcome: 'first',
      fingerprint: 'told:abc',
    })
    const page = pageWith('told:abc')
    expect(seen(answer(), page, { digest: 'abc' }).outcome).toBe('unchanged')
    expect(seen(answer(), page, { digest: 'abd' })).toEqual({
      outcome: 'changed',
      fingerprint: 'told:abd',
    })
  })

  it('has nothing in common with what we read ourselves', () => {
    const { fingerprint } = seen(answer(), pageWith(null))
    const lease = { page: pageWith(fingerprint) } as Lease
    const { page } = comparableLease(lease, { answer: answer(), digest: 'abc' })
    expect(seen(answer(), page, { digest: 'abc' }).outcome).toBe('first')
  })
})
