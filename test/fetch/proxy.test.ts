import { createServer, type Server } from 'node:http'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/crawler/system-clock.js'
import { HttpFetcher, type HttpFetcherOptions } from '../../src/fetch/http-fetcher.js'
import { proxyAddress, shownProxy } from '../../src/fetch/proxy.js'
import { userAgent } from '../../src/formats/user-agent.js'
import { localServer } from '../fixtures/local-server.js'
import { selfSignedServer } from '../fixtures/self-signed.js'

/** Listens on loopback for one test; its port. */
async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as { port: number }).port
}

/** A proxy by CONNECT, as RFC 9110 has it; what it was asked for. */
async function tunnelProxy(login?: string) {
  const asked: string[] = []
  const server = createServer((_, response) => response.writeHead(405).end())
  server.on('connect', (request, client) => {
    asked.push(String(request.url))
    const given = request.headers['proxy-authorization']
    if (login !== undefined && given !== `Basic ${Buffer.from(login).toString('base64')}`)
      return client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const [host, port] = String(request.url).split(':')
    const onward = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(client).pipe(onward)
    })
    onward.on('error', () => client.destroy())
  })
  return { port: await listening(server), asked }
}

/** A SOCKS5 proxy without or with a password, by RFC 1928 and 1929. */
async function socksProxy(login?: { user: string; password: string }) {
  const asked: string[] = []
  const server = createTcpServer((client) => {
    let step = 'greeting'
    client.on('data', (chunk) => {
      if (step === 'greeting') {
        step = login === undefined ? 'request' : 'login'
        return client.write(Buffer.from([5, login === undefined ? 0 : 2]))
      }
      if (step === 'login') {
        const userEnd = 2 + chunk[1]!
        const user = chunk.toString('utf8', 2, userEnd)
        const password = chunk.toString('utf8', userEnd + 1)
        const right = user === login!.user && password === login!.password
        step = 'request'
        return client.write(Buffer.from([1, right ? 0 : 1]))
      }
      // Type 1 is an address of IPv4; a name would be 3.
      const kind = chunk[3]
      const host = kind === 1 ? [...chunk.subarray(4, 8)].join('.') : `kind ${kind}`
      const port = chunk.readUInt16BE(8)
      asked.push(`${host}:${port}`)
      client.removeAllListeners('data')
      const onward = connect(port, host, () => {
        client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]))
        onward.pipe(client).pipe(onward)
      })
      onward.on('error', () => client.destroy())
    })
  })
  return { port: await listening(server), asked }
}

async function fetched(
  url: string,
  { own, ...options }: Partial<HttpFetcherOptions> & { own?: string },
) {
  const fetcher = new HttpFetcher({
    clock: systemClock,
    contact: 'test@localhost',
    version: '0',
    allowedNetworks: ['127.0.0.0/8'],
    limits: { connectTime: 2 },
    ...options,
  })
  onTestFinished(() => fetcher.close())
  return fetcher.fetch(own === undefined ? { url } : { url, proxy: own })
}

/** A site on loopback that is known by a name. */
async function site() {
  const hosts: string[] = []
  const base = await localServer((request, response) => {
    hosts.push(String(request.headers.host))
    response.end('text')
  })
  const { port } = new URL(base)
  const resolve = async (name: string) => {
    if (name === 'site.example') return [{ address: '127.0.0.1', family: 4 }]
    if (name === 'inside.example') return [{ address: '10.1.2.3', family: 4 }]
    throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  }
  return { url: `http://site.example:${port}/`, port, hosts, resolve }
}

describe('visits through a proxy', () => {
  it('go by CONNECT to the address that was found here, and name the host', async () => {
    const { url, port, hosts, resolve } = await site()
    const { port: at, asked } = await tunnelProxy('me:secret')
    const answer = await fetched(url, { proxy: `http://me:secret@127.0.0.1:${at}`, resolve })
    expect(answer).toMatchObject({ kind: 'content', status: 200 })
    expect(asked).toEqual([`127.0.0.1:${port}`])
    expect(hosts).toEqual([`site.example:${port}`])
  })

  it('go by SOCKS5, with a password too, by address and never by name', async () => {
    const { url, port, resolve } = await site()
    for (const login of [undefined, { user: 'me', password: 'secret' }]) {
      const { port: at, asked } = await socksProxy(login)
      const proxy = `socks5://${login === undefined ? '' : 'me:secret@'}127.0.0.1:${at}`
      expect(await fetched(url, { proxy, resolve })).toMatchObject({ kind: 'content' })
      expect(asked).toEqual([`127.0.0.1:${port}`])
    }
  })

  it('speak TLS to the server itself, through the tunnel', async () => {
    const base = await selfSignedServer((_, response) => response.end('text'))
    const { port, asked } = await tunnelProxy()
    // Nobody vouches for its certificate: it was the server's that was looked at.
    const answer = await fetched(`${base}/`, { proxy: `http://127.0.0.1:${port}` })
    expect(answer).toMatchObject({ kind: 'failed', fault: 'tls' })
    expect(asked).toHaveLength(1)
  })

  it('lead to no private address behind it, by name or written out', async () => {
    const { resolve } = await site()
    const [http, socks] = [await tunnelProxy(), await socksProxy()]
    for (const proxy of [`http://127.0.0.1:${http.port}`, `socks5://127.0.0.1:${socks.port}`])
      for (const url of ['http://inside.example/', 'http://10.1.2.3/', 'http://[::ffff:10.0.0.1]/'])
        expect(await fetched(url, { proxy, resolve })).toMatchObject({ fault: 'address-refused' })
    expect([...http.asked, ...socks.asked]).toEqual([])
  })

  it('by a page’s own go through it, unless that itself is on a private network', async () => {
    const { url, resolve } = await site()
    const usual = await tunnelProxy()
    const own = await tunnelProxy()
    const proxy = `http://127.0.0.1:${usual.port}`
    const way = { proxy, own: `http://127.0.0.1:${own.port}`, resolve }
    expect(await fetched(url, way)).toMatchObject({ kind: 'content' })
    expect([usual.asked.length, own.asked.length]).toEqual([0, 1])
    const inside = { ...way, own: 'http://inside.example:3128' }
    expect(await fetched(url, inside)).toMatchObject({ fault: 'address-refused' })
  })

  it('fail where the proxy refuses or is not there, and tell no password', async () => {
    const { url, resolve } = await site()
    const { port } = await tunnelProxy('me:secret')
    const socks = await socksProxy({ user: 'me', password: 'secret' })
    for (const proxy of [
      `http://me:wrong-word@127.0.0.1:${port}`,
      `socks5://me:wrong-word@127.0.0.1:${socks.port}`,
      'http://me:wrong-word@127.0.0.1:1',
    ]) {
      const answer = await fetched(url, { proxy, resolve })
      expect(answer).toMatchObject({ kind: 'failed', fault: 'connect' })
      expect(JSON.stringify(answer)).not.toContain('wrong-word')
    }
  })
})

describe('the address of a proxy', () => {
  it('is read, and shown without its password', () => {
    expect(proxyAddress('socks5h://[::1]')).toMatchObject({
      kind: 'socks5',
      host: '::1',
      port: 1080,
    })
    expect(shownProxy('http://me:secret@proxy.example')).toBe(
      'http://me:(not shown)@proxy.example:8080',
    )
    for (const text of [
      'ftp://x',
      'proxy.example:1',
      'http://',
      'http://x/path',
      'http://a:(not shown)@x',
    ])
      expect(() => proxyAddress(text), text).toThrow(/proxy/)
  })
})

describe('a product of one’s own', () => {
  const named = (product: string) => userAgent({ contact: 'me@example.org', version: '1', product })

  it('stands before ours, and is nothing that a header could be made of', () => {
    expect(named('MyArchive/2.0')).toBe('MyArchive/2.0 Revisit/1 (+me@example.org)')
    for (const bad of ['', 'two words', 'a\r\nx: y', 'a/1/2', '(comment)', 'x'.repeat(90)])
      expect(() => named(bad), bad).toThrow(/no product/)
  })
})
