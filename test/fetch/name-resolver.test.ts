import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/crawler/system-clock.js'
import { HttpFetcher } from '../../src/fetch/http-fetcher.js'
import { NameResolver } from '../../src/fetch/name-resolver.js'
import { localServer } from '../fixtures/local-server.js'
import { type Names, nameServer } from '../fixtures/name-server.js'
import { tempFolder } from '../fixtures/temp-folder.js'

const four = (address: string) => ({ address, family: 4 })

function hostsFile(text: string): string {
  const path = join(tempFolder(), 'hosts')
  writeFileSync(path, text)
  return path
}

/** Eight names whose servers never answer, and fifty that lead to this machine. */
const mixed: Names = Object.fromEntries([
  ...Array.from({ length: 8 }, (_, n) => [`dead${n}.example.test`, 'silent']),
  ...Array.from({ length: 50 }, (_, n) => [`good${n}.example.test`, '127.0.0.1']),
])

describe('the addresses of names', () => {
  it('are found while other names never answer', async () => {
    const server = await nameServer(mixed)
    const { resolve } = new NameResolver({ servers: [server.address] })
    const dead = Object.keys(mixed).filter((name) => mixed[name] === 'silent')
    let answered = 0
    const late = dead.map((name) =>
      resolve(name).catch((error) => {
        answered++
        return error
      }),
    )
    const began = performance.now()
    const good = Object.keys(mixed).filter((name) => mixed[name] !== 'silent')
    for (const name of good) expect(await resolve(name)).toEqual([four('127.0.0.1')])
    expect(answered).toBe(0)
    expect(performance.now() - began).toBeLessThan(2000)
    for (const error of await Promise.all(late)) expect(error).toMatchObject({ code: 'EAI_AGAIN' })
  })

  it('are asked for once while the answer holds, and again after it', async () => {
    const server = await nameServer({ 'a.example.test': '192.0.2.7' }, { ttl: 20 })
    let now = 100
    const { resolve } = new NameResolver({ servers: [server.address], now: () => now })
    const times = () => server.asked.filter((name) => name === 'a.example.test').length
    await Promise.all([resolve('a.example.test'), resolve('A.example.test.')])
    expect(times()).toBe(2)
    now += 19
    expect(await resolve('a.example.test')).toEqual([four('192.0.2.7')])
    expect(times()).toBe(2)
    now += 2
    await resolve('a.example.test')
    expect(times()).toBe(4)
  })

  it('that do not exist are not asked for again at once', async () => {
    const server = await nameServer({})
    let now = 100
    const { resolve } = new NameResolver({ servers: [server.address], now: () => now })
    for (const _ of [1, 2])
      await expect(resolve('no.example.test')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    const before = server.asked.length
    now += 31
    await expect(resolve('no.example.test')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    expect(server.asked.length).toBe(2 * before)
  })

  it('stand in the hosts file first, and localhost is this machine', async () => {
    const server = await nameServer({ 'a.example.test': '192.0.2.7' })
    const path = hostsFile('# ours\n192.0.2.9 a.example.test other # it\n::1 A.example.test\nx y\n')
    const { resolve } = new NameResolver({ servers: [server.address], hostsFile: path })
    expect(await resolve('a.example.test')).toEqual([
      four('192.0.2.9'),
      { address: '::1', family: 6 },
    ])
    expect(await resolve('other')).toEqual([four('192.0.2.9')])
    const local = [four('127.0.0.1'), { address: '::1', family: 6 }]
    expect(await resolve('localhost')).toEqual(local)
    expect(await resolve('shop.localhost')).toEqual(local)
    expect(server.asked).toEqual([])
  })

  it('are asked for by so many at a time as may be under way', async () => {
    const server = await nameServer(mixed)
    const { resolve } = new NameResolver({ servers: [server.address], most: 2, time: 0.3 })
    const late = Promise.allSettled(
      ['dead0', 'dead1'].map((each) => resolve(`${each}.example.test`)),
    )
    const good = resolve('good0.example.test')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(server.asked).not.toContain('good0.example.test')
    await late
    expect(await good).toEqual([four('127.0.0.1')])
  })
})

describe('visits, while names never answer', () => {
  const fetcherFor = (servers: string[], allowedNetworks: string[]) => {
    const { resolve } = new NameResolver({ servers })
    const limits = { connectTime: 3, firstByteTime: 3 }
    const known = { clock: systemClock, contact: 'a@b.example', version: '0' }
    return new HttpFetcher({ ...known, resolve, allowedNetworks, limits })
  }

  it('are made to the other hosts', async () => {
    const dns = await nameServer(mixed)
    const port = new URL(await localServer((_, response) => void response.end('x'))).port
    const fetcher = fetcherFor([dns.address], ['127.0.0.0/8'])
    const visit = (name: string) => fetcher.fetch({ url: `http://${name}:${port}/` })
    const dead = Array.from({ length: 8 }, (_, n) => visit(`dead${n}.example.test`))
    const began = performance.now()
    const good = await Promise.all(
      Array.from({ length: 50 }, (_, n) => visit(`good${n}.example.test`)),
    )
    expect(good.map(({ kind }) => kind)).toEqual(Array(50).fill('content'))
    expect(performance.now() - began).toBeLessThan(2500)
    for (const each of await Promise.all(dead)) expect(each.kind).toBe('failed')
    await fetcher.close()
  })

  it('are refused where a name leads inside, also from what is remembered', async () => {
    const dns = await nameServer({ 'in.example.test': '127.0.0.1' })
    let reached = 0
    const address = await localServer((_, response) => {
      reached++
      response.end('secret')
    })
    const fetcher = fetcherFor([dns.address], [])
    const url = `http://in.example.test:${new URL(address).port}/`
    for (const _ of [1, 2])
      expect(await fetcher.fetch({ url })).toMatchObject({ fault: 'address-refused' })
    expect(reached).toBe(0)
    await fetcher.close()
  })
})
