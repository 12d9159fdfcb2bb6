import { describe, expect, it } from 'vitest'
import type { FetchAnswer } from '../../src/model/fetcher.js'
import type { PageRecord, Validators } from '../../src/model/page.js'
import type { Reader } from '../../src/model/reader.js'
import { contentSeen } from '../../src/visit/comparison.js'
import { unconditionalShareOf } from '../../src/visit/request.js'

const lastSeen = 1_700_000_000
const old = 'Mon, 01 Jan 2018 00:00:00 GMT'
const later = 'Wed, 15 Nov 2023 00:00:00 GMT'
const reader = {
  read: ({ body, headers }: FetchAnswer & { kind: 'content' }) => ({
    fingerprint: new TextDecoder().decode(body),
    lastModified: Date.parse(headers['last-modified'] ?? '') / 1000 || undefined,
  }),
} as unknown as Reader

/** The validators kept after a visit that brought a text, with these headers. */
function kept(
  before: Validators,
  { text, headers }: { text: string; headers: Record<string, string> },
): Validators {
  const page = { fingerprint: 'before', lastSeen, validators: before } as PageRecord
  const body = new TextEncoder().encode(text)
  const answer = { kind: 'content', status: 200, at: lastSeen + 1e5, headers, body } as FetchAnswer
  const seen = contentSeen(answer as FetchAnswer & { kind: 'content' }, { page, reader })
  return 'fault' in seen ? {} : seen.validators
}

describe('validators of a page', () => {
  const date = { 'last-modified': old }

  it('are kept while they move with the content, or neither moves', () => {
    const moved = { text: 'after', headers: { 'last-modified': later } }
    expect(kept({ lastModified: old }, moved)).toEqual({ lastModified: later })
    const same = { text: 'before', headers: date }
    expect(kept({ lastModified: old }, same)).toEqual({ lastModified: old })
    const tagged = { text: 'after', headers: { ...date, etag: '"2"' } }
    expect(kept({ lastModified: old, etag: '"1"' }, tagged)).toHaveProperty('etag', '"2"')
  })

  it('are not where the content changed and they did not, until the date moves again', () => {
    expect(kept({ lastModified: old }, { text: 'after', headers: date })).toEqual({})
    expect(kept({ etag: '"1"' }, { text: 'after', headers: { etag: '"1"' } })).toEqual({})
    expect(kept({}, { text: 'before', headers: date })).toEqual({})
    expect(kept({}, { text: 'after', headers: date })).toEqual({})
    const moved = { text: 'after', headers: { 'last-modified': later } }
    expect(kept({}, moved)).toEqual({ lastModified: later })
  })
})

describe('unconditionalShareOf', () => {
  const page = { changes: 0, visits: 1, validators: { lastModified: old } }

  it('asks for the content at first where only a date is gone by, then ever less often', () => {
    expect(unconditionalShareOf(page, 0.05)).toBe(1)
    expect(unconditionalShareOf({ ...page, visits: 4 }, 0.05)).toBe(0.25)
    expect(unconditionalShareOf({ ...page, visits: 400 }, 0.05)).toBe(0.05)
  })

  it('is the usual share once a change was seen, with an ETag, and none where none is wanted', () => {
    expect(unconditionalShareOf({ ...page, changes: 1 }, 0.05)).toBe(0.05)
    expect(unconditionalShareOf({ ...page, validators: { etag: '"1"' } }, 0.05)).toBe(0.05)
    expect(unconditionalShareOf(page, 0)).toBe(0)
  })
})
