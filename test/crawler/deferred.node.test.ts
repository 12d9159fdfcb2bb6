import { expect, it } from 'vitest'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { postponed } from '../../src/visit/deferred.js'

const collection = 'c'
const now = 1_700_000_000

it('keeps what is known of a host that rests, also where the visit did not tell it again', async () => {
  const store = openMemoryStore()
  const known = { host: 'a.example', state: { failures: 3 }, blockedUntil: null }
  await store.addPages({ collection, pages: [{ url: 'http://a.example/' }], now })
  await store.putHosts([known])
  const [lease] = await store.leaseDue({
    collection,
    now,
    limit: 1,
    perHost: 1,
    ttl: 60,
    worker: 'w',
  })
  const rest = { host: undefined, until: now + 60, hours: null }
  const hostBefore = () => store.getHost('a.example')
  expect(await postponed(lease!, rest, { store, hostBefore })).toEqual({
    report: null,
    hostRests: true,
  })
  expect(await store.getHost('a.example')).toEqual({ ...known, blockedUntil: now + 60 })
})
