import { describe, expect, it } from 'vitest'
import type { PageSettings } from '../../src/model/page.js'
import { aService, collection } from './a-service.js'

/** A service with one page that was stored with these settings, by rules of another time. */
async function withStored(settings: PageSettings) {
  const { ask, store } = await aService()
  await store.addPages({ collection, pages: [{ url: 'https://a.example/', settings }], now: 0 })
  return async (change: object) => {
    const { status, json } = await ask('PATCH', '/api/pages/1', { settings: change })
    return { status, json: json as { error?: object; settings?: object } }
  }
}

describe('a change of settings over HTTP', () => {
  it('is not refused for limits that were stored before and contradict each other', async () => {
    const change = await withStored({ shortest: 900, longest: 60 })
    expect(await change({ noiseCheck: false })).toMatchObject({
      status: 200,
      json: { settings: { noiseCheck: false, shortest: 900, longest: 60 } },
    })
    expect(await change({ shortest: null })).toMatchObject({ json: { settings: { longest: 60 } } })
  })

  it('holds a limit that is sent against the other as it is stored, and names both', async () => {
    const change = await withStored({ shortest: 900 })
    expect(await change({ longest: 60 })).toMatchObject({
      status: 400,
      json: {
        error: {
          code: 'bad-limits',
          message: 'the shortest gap, 15 minutes, must not be longer than the longest, 60 seconds',
        },
      },
    })
    expect(await change({ longest: 900 })).toMatchObject({ status: 200 })
    expect(await change({ shortest: 901 })).toMatchObject({ status: 400 })
    expect(await change({ shortest: 5, longest: 6 })).toMatchObject({ status: 200 })
  })

  it('takes an objective that there is, and null for none', async () => {
    const change = await withStored({})
    expect(await change({ objective: 'delay' })).toMatchObject({
      status: 200,
      json: { settings: { objective: 'delay' } },
    })
    const refused = await change({ objective: 'speed' })
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.json.error)).toMatch(/objective.*delay/)
    expect((await change({ objective: null })).json.settings).toEqual({})
  })

  it('is not refused for other headers, rules or hours that were stored before', async () => {
    const change = await withStored({
      headers: { 'user-agent': 'other' },
      hours: 'when it rains',
      reading: { selekt: ['p'] },
    })
    expect(await change({ noiseCheck: false })).toMatchObject({ status: 200 })
    expect(await change({ headers: { Host: 'a' } })).toMatchObject({
      status: 400,
      json: { error: { code: 'reserved-header' } },
    })
    expect(await change({ headers: null })).toMatchObject({ status: 200 })
  })
})
