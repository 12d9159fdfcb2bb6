import { describe, expect, it } from 'vitest'
import { AddressGuard } from '../../src/fetch/address-guard.js'
import type { ResolvedAddress } from '../../src/fetch/name-resolver.js'
import { isPublicAddress } from '../../src/fetch/public-address.js'
import { localServer } from '../fixtures/local-server.js'
import { localFetcher } from '../visit/local-fetcher.js'

describe('isPublicAddress', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('%s is', (address) => expect(isPublicAddress(address)).toBe(true))

  // IANA special-purpose registries.
  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    'fec0::1',
    'not an address',
    '',
  ])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('AddressGuard', () => {
  const lookup = (guard: AddressGuard, all: boolean) =>
    new Promise((resolve) =>
      guard.lookup('a.test', { all }, (error, address) =>
        resolve(error === null ? address : (error as { code?: string }).code),
      ),
    )
  const resolving = (...addresses: string[]) => ({
    resolve: async (): Promise<ResolvedAddress[]> =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  })

  it('hands on only the addresses that may be visited', async () => {
    const guard = new AddressGuard(resolving('10.0.0.1', '8.8.8.8', '::1'))
    expect(await lookup(guard, true)).toEqual([{ address: '8.8.8.8', family: 4 }])
    expect(await lookup(guard, false)).toBe('8.8.8.8')
  })

  it('refuses a name that leads only inside', async () => {
    expect(await lookup(new AddressGuard(resolving('10.0.0.1', '::ffff:127.0.0.1')), true)).toBe(
      'ADDRESS_REFUSED',
    )
    expect(await lookup(new AddressGuard(resolving()), true)).toBe('ENOTFOUND')
  })

  it('lets a network in by option, mapped addresses with it', async () => {
    const guard = new AddressGuard({ allowedNetworks: ['10.0.0.0/8', '::1'], ...resolving('::1') })
    expect(await lookup(guard, false)).toBe('::1')
    expect(guard.allows('::ffff:10.9.9.9')).toBe(true)
    expect(guard.allows('192.168.0.1')).toBe(false)
  })
})

describe('the fetcher and private addresses', () => {
  const refused = { kind: 'failed', fault: 'address-refused' }

  // Every way to write 127.0.0.1 and others that browsers and WHATWG know.
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://0/',
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost/',
  ])('refuses %s unless allowed', async (url) => {
    expect(await localFetcher({ allowedNetworks: [] }).fetch({ url })).toMatchObject(refused)
  })

  it('checks the address that is used, though the name answers differently each time', async () => {
    const base = await localServer((_, response) => response.end('inside'))
    let asked = 0
    const resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
    const fetcher = localFetcher({ resolve })
    const url = base.replace('127.0.0.1', 'rebinding.test')
    expect(await fetcher.fetch({ url })).toMatchObject({ kind: 'content' })
    expect(asked).toBe(1)
    const second = localFetcher({ resolve })
    expect(await second.fetch({ url })).toMatchObject(refused)
  })

  it('checks each redirect', async () => {
    const inner = await localServer((_, response) => response.end('secret'), '127.0.0.2')
    const base = await localServer((request, response) => {
      const hops: Record<string, string> = {
        '/a': '/b',
        '/b': inner,
        '/name': 'http://inside.test/',
        '/ten': 'http://10.0.0.1/',
      }
      response.writeHead(302, { location: hops[request.url!] ?? '/' }).end()
    })
    const resolve = async () => [{ address: '192.168.0.1', family: 4 }]
    const fetcher = localFetcher({ resolve })
    for (const path of ['/a', '/name', '/ten'])
      expect(await fetcher.fetch({ url: base + path })).toMatchObject(refused)
    const allowed = localFetcher({ allowedNetworks: ['127.0.0.0/8'] })
    expect(await allowed.fetch({ url: `${base}/a` })).toMatchObject({ kind: 'content' })
  })

  it('tells a name that does not resolve from one that is refused', async () => {
    const resolve = () =>
      Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
    expect(await localFetcher({ resolve }).fetch({ url: 'http://gone.test/' })).toMatchObject({
      kind: 'failed',
      fault: 'dns',
    })
  })
})
