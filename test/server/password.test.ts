import { describe, expect, it } from 'vitest'
import { Keys } from '../../src/server/safety/keys.js'
import { Password } from '../../src/server/safety/password.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { VirtualClock } from '../fixtures/clocks.js'
import { aService, collection } from './a-service.js'

const right = 'correct horse battery'

async function guarded() {
  const clock = new VirtualClock()
  const store = openMemoryStore()
  const { app } = await aService({ store, clock, options: { host: '0.0.0.0' } })
  const password = new Password({ store, collection })
  await password.set(right, clock.now())
  const send = (method: 'POST' | 'PUT' | 'GET', url: string, body?: object, cookie = '') =>
    app.inject({
      method,
      url,
      headers: { host: '192.0.2.1', ...(cookie === '' ? {} : { cookie }) },
      ...(body === undefined ? {} : { payload: body }),
    })
  const signIn = (given: string) => send('POST', '/api/session', { password: given })
  const cookieOf = async (given: string) =>
    String([(await signIn(given)).headers['set-cookie']].flat()[0]).split(';')[0]!
  return { app, clock, store, password, send, signIn, cookieOf }
}

describe('a person who signs in with a password', () => {
  it('is let in by the right one alone, by a cookie for this site', async () => {
    const { signIn, cookieOf, send, store } = await guarded()
    expect((await send('GET', '/api/session')).json()).toEqual({ password: true })
    expect((await send('GET', '/api/pages')).statusCode).toBe(401)
    for (const wrong of ['correct horse', `${right} `, right.toUpperCase()])
      expect((await signIn(wrong)).json(), wrong).toMatchObject({
        error: { code: 'wrong-password' },
      })
    const answer = await signIn(right)
    expect(answer.statusCode).toBe(200)
    expect(String(answer.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict/)
    expect((await send('GET', '/api/pages', undefined, await cookieOf(right))).statusCode).toBe(200)
    expect(JSON.stringify(await store.settings(collection))).not.toMatch(/correct|horse/)
  })

  it('waits after five tries, and others are not let in meanwhile by the flood of one', async () => {
    const { signIn, clock } = await guarded()
    for (let i = 0; i < 5; i++) expect((await signIn('wrong')).statusCode).toBe(401)
    const refused = await signIn(right)
    expect(refused.json()).toMatchObject({ error: { code: 'too-many-tries' } })
    // One try in twelve seconds from then on.
    expect(refused.headers['retry-after']).toBe('12')
    await clock.sleep(13)
    expect((await signIn(right)).statusCode).toBe(200)
  })

  it('changes it with the current one, which signs every browser out; keys go on', async () => {
    const { send, cookieOf, store, clock } = await guarded()
    const key = await new Keys({ store, collection }).add('program', 1)
    const cookie = await cookieOf(right)
    const put = (body: object) => send('PUT', '/api/password', body, cookie)
    expect((await put({ password: 'another password' })).statusCode).toBe(403)
    const short = await put({ password: 'short', current: right })
    expect(short.json()).toMatchObject({ error: { code: 'bad-password' } })
    expect((await put({ password: 'another password', current: right })).statusCode).toBe(200)
    await clock.sleep(2)
    expect((await send('GET', '/api/pages', undefined, cookie)).statusCode).toBe(401)
    expect(
      (await send('GET', '/api/pages', undefined, await cookieOf('another password'))).statusCode,
    ).toBe(200)
    const byKey = await send('POST', '/api/session', { key })
    expect(byKey.statusCode).toBe(200)
  })

  it('is asked for a key where no password is set', async () => {
    const { password, clock, signIn, send } = await guarded()
    expect(await password.remove()).toBe(true)
    expect(await password.remove()).toBe(false)
    await clock.sleep(2)
    expect((await send('GET', '/api/session')).json()).toEqual({ password: false })
    expect((await signIn(right)).statusCode).toBe(401)
  })
})
