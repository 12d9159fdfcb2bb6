import { describe, expect, it } from 'vitest'
import { Keys } from '../../src/server/safety/keys.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { VirtualClock } from '../fixtures/clocks.js'
import { aService, collection } from './a-service.js'

async function guarded() {
  const clock = new VirtualClock()
  const store = openMemoryStore()
  const { app } = await aService({ store, clock, options: { requireKey: true } })
  const keys = new Keys({ store, collection })
  const key = await keys.add('reader', 1)
  const open = (more: Record<string, string> = {}, given = key) =>
    app.inject({
      method: 'POST',
      url: '/api/session',
      headers: { host: 'localhost', ...more },
      payload: { key: given },
    })
  const cookieOf = async (more?: Record<string, string>) =>
    ([(await open(more)).headers['set-cookie']].flat()[0] as string).split(';')[0]!
  const ask = async (cookie: string, method: 'GET' | 'DELETE' = 'GET', url = '/api/pages') =>
    (await app.inject({ method, url, headers: { host: 'localhost', cookie } })).statusCode
  return { app, store, clock, keys, key, open, cookieOf, ask }
}

describe('a session of a browser', () => {
  it('is a random id, not the key, in a cookie that scripts and other sites do not get', async () => {
    const { open, cookieOf, ask, key, store } = await guarded()
    expect((await open({}, 'rv_wrong')).statusCode).toBe(401)
    const answer = await open()
    const cookies = [answer.headers['set-cookie']].flat().join('\n')
    expect(cookies).toMatch(
      /^revisit-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/m,
    )
    expect(cookies).not.toContain(key)
    expect(cookies).not.toContain('Secure')
    const [one, other] = [await cookieOf(), await cookieOf()]
    expect(one).not.toBe(other)
    expect(await ask(one)).toBe(200)
    // Neither the key nor an id can be read from the store.
    const kept = JSON.stringify(await store.settings(collection))
    expect(kept).not.toContain(key)
    expect(kept).not.toContain(one.split('=')[1])
    expect(await ask(`revisit-session=${'A'.repeat(43)}`)).toBe(401)
    expect(await ask('revisit-session=')).toBe(401)
  })

  it('goes over TLS alone where the browser came by TLS', async () => {
    const { open } = await guarded()
    const cookies = async (more: Record<string, string>) =>
      [(await open(more)).headers['set-cookie']].flat()[0]
    expect(await cookies({ 'x-forwarded-proto': 'https' })).toMatch(/; Secure$/)
    expect(await cookies({ origin: 'https://localhost', host: 'localhost' })).toMatch(/; Secure$/)
    expect(await cookies({ 'x-forwarded-proto': 'http' })).not.toMatch(/Secure/)
  })

  it('ends by logging out, alone', async () => {
    const { cookieOf, ask } = await guarded()
    const [mine, others] = [await cookieOf(), await cookieOf()]
    expect(await ask(mine, 'DELETE', '/api/session')).toBe(200)
    expect(await ask(mine)).toBe(401)
    expect(await ask(others)).toBe(200)
  })

  it('ends with its key, and after a month', async () => {
    const { cookieOf, ask, keys, clock } = await guarded()
    const cookie = await cookieOf()
    await clock.sleep(29 * 86_400)
    expect(await ask(cookie)).toBe(200)
    const second = await cookieOf()
    await clock.sleep(2 * 86_400)
    expect(await ask(cookie)).toBe(401)
    expect(await ask(second)).toBe(200)
    await keys.remove('reader')
    await clock.sleep(2)
    expect(await ask(second)).toBe(401)
  })

  it('outlasts a restart, and holds for other processes on the store', async () => {
    const { cookieOf, store, clock, ask } = await guarded()
    const cookie = await cookieOf()
    const again = await aService({ store, clock, options: { requireKey: true } })
    const asked = (method: 'GET' | 'DELETE', url: string) =>
      again.app.inject({ method, url, headers: { host: 'localhost', cookie } })
    expect((await asked('GET', '/api/pages')).statusCode).toBe(200)
    await asked('DELETE', '/api/session')
    await clock.sleep(2)
    expect(await ask(cookie)).toBe(401)
  })
})
