import { describe, expect, it } from 'vitest'
import { HttpFetcher } from '../../../src/fetch/http-fetcher.js'
import { demoOrigin } from '../../../src/lab/demo-web/demo-web.js'
import type { FetchAnswer, FetchRequest } from '../../../src/model/fetcher.js'
import { DAY } from '../../../src/model/units.js'
import { visitOnce } from '../../../src/visit/request.js'
import { openWeb } from './open-web.js'

const noAccess = { hold: async () => null, release: async () => {}, book: async () => true }

async function asked() {
  const { web, clock } = await openWeb({ pages: 60 })
  const visitor = web.visitorAt(clock)
  const fetcher = new HttpFetcher({
    clock,
    contact: 'test@localhost',
    version: 'test',
    allowedNetworks: ['127.0.0.0/8'],
    limits: { wholeTime: 10 },
  })
  const direct = async (request: FetchRequest) =>
    visitOnce(visitor, request, { hostAccess: noAccess })
  return { web, clock, fetcher, direct }
}

/** What a visit goes by: how it was packed on the way does not matter. */
function reported(answer: FetchAnswer) {
  if (answer.kind === 'failed') return { kind: answer.kind }
  const { kind, status, url, movedTo, headers } = answer
  const { etag, 'last-modified': lastModified, 'content-type': type } = headers
  const body = answer.kind === 'content' ? Buffer.from(answer.body).toString() : null
  const retryAfter = answer.kind === 'later' ? answer.retryAfter : null
  return { kind, status, url, movedTo, etag, lastModified, type, body, retryAfter }
}

describe('asking the sites in this process', () => {
  it('gives the answers that their servers give, of every page, at all times', async () => {
    const { web, clock, fetcher, direct } = await asked()
    const kinds = new Set<string>()
    try {
      for (const day of [0, 3.3, 31.7]) {
        clock.at = demoOrigin + day * DAY
        for (const { url, access } of web.truth()) {
          if (access === 'disallowed') continue
          const plain = await fetcher.fetch({ url })
          const first = await direct({ url })
          expect(first).toMatchObject({ kind: 'answered', hosts: [] })
          const answer = (first as { answer: FetchAnswer }).answer
          expect(reported(answer), url).toEqual(reported(plain))
          kinds.add(answer.kind)
          if (answer.kind !== 'content') continue
          const { etag, 'last-modified': lastModified } = answer.headers
          const validators = {
            ...(etag === undefined ? {} : { etag }),
            ...(lastModified === undefined ? {} : { lastModified }),
          }
          const again = (await direct({ url, validators })) as { answer: FetchAnswer }
          expect(reported(again.answer), url).toEqual(
            reported(await fetcher.fetch({ url, validators })),
          )
          kinds.add(again.answer.kind)
          const whole = await direct({ url, validators, unconditional: true })
          expect(whole).toMatchObject({ answer: { kind: 'content', status: 200 } })
        }
      }
    } finally {
      await fetcher.close()
    }
    expect([...kinds].sort()).toEqual(
      expect.arrayContaining(['content', 'gone', 'not-modified', 'refused']),
    )
  })

  it('keeps to robots.txt, and counts what it asks', async () => {
    const { web, direct } = await asked()
    const closed = web.truth().find(({ access }) => access === 'disallowed')!
    expect(await direct({ url: closed.url })).toMatchObject({ kind: 'disallowed' })
    expect(web.requests()).toMatchObject({ total: 0, disallowed: 0 })
    const moved = web.truth().find(({ access }) => access === 'moved')!
    await direct({ url: moved.url })
    expect(web.requests().total).toBe(2)
  })
})
