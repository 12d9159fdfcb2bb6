import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { HttpFetcher } from '../../src/fetch/http-fetcher.js'
import { basicAuthorization } from '../../src/fetch/http-request.js'
import { describeFetcher } from '../contracts/fetcher.js'
import { VirtualClock } from '../fixtures/clocks.js'
import { localServer } from '../fixtures/local-server.js'
import { sampleWeb } from '../fixtures/sample-web.js'
import { localFetcher } from '../visit/local-fetcher.js'

/** Port 1 of loopback: nothing listens there. */
const dead = 'http://127.0.0.1:1/'

describeFetcher('HttpFetcher', async () => ({
  fetcher: localFetcher(),
  base: await localServer(sampleWeb),
  dead,
}))

/** A member of gzip whose header has an extra field, a name and a comment. RFC 1952, 2.3. */
function namedMember(text: string): Buffer {
  const packed = gzipSync(text)
  const head = Buffer.from(packed.subarray(0, 10))
  head[3] = 4 | 8 | 16
  const fields = Buffer.from('\x02\x00ab' + 'name\x00' + 'comment\x00', 'latin1')
  return Buffer.concat([head, fields, packed.subarray(10)])
}

async function textOf(fetcher: HttpFetcher, url: string): Promise<string> {
  const answer = await fetcher.fetch({ url })
  return answer.kind === 'content' ? new TextDecoder().decode(answer.body) : JSON.stringify(answer)
}

describe('HttpFetcher', () => {
  it('says who it is and whom to ask', async () => {
    const base = await localServer((request, response) =>
      response.end(request.headers['user-agent']),
    )
    expect(await textOf(localFetcher(), base)).toBe('Revisit/0.0.0 (+https://revisit.test/about)')
    expect(() => localFetcher({ contact: 'nobody' })).toThrow(/no contact/)
    expect(localFetcher({ contact: 'me@example.org' }).userAgent).toBe(
      'Revisit/0.0.0 (+me@example.org)',
    )
  })

  it('asks once more just before each request is sent, and sends nothing where it may not', async () => {
    const asked: string[] = []
    const base = await localServer((request, response) => {
      asked.push(request.url!)
      if (request.url === '/page') response.end('hello')
      else response.writeHead(302, { location: '/page' }).end()
    })
    const fetcher = localFetcher()
    const allowed = (times: number) => () => times-- > 0
    const fetched = (times: number) =>
      fetcher.fetch({ url: `${base}/moved` }, { maySend: allowed(times) })
    expect(await fetched(0)).toMatchObject({ kind: 'failed', fault: 'aborted', bytesReceived: 0 })
    expect(asked).toEqual([])
    // The request to which a redirect leads is another.
    expect(await fetched(1)).toMatchObject({ kind: 'failed', fault: 'aborted' })
    expect(asked).toEqual(['/moved'])
    expect(await fetched(2)).toMatchObject({ kind: 'content' })
    expect(asked).toEqual(['/moved', '/moved', '/page'])
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['x-gzip', gzipSync],
    ['identity', (bytes: Buffer) => bytes],
    // No codings, but servers name them: the content is as it is.
    ['none', (bytes: Buffer) => bytes],
    ['UTF-8', (bytes: Buffer) => bytes],
  ] as const)('unpacks %s', async (coding, pack) => {
    const packed = pack(Buffer.from('hello '.repeat(100)))
    const base = await localServer((_, response) => {
      response.setHeader('content-encoding', coding)
      response.end(packed)
    })
    const answer = await localFetcher().fetch({ url: base })
    expect(answer).toMatchObject({ kind: 'content', bytesReceived: packed.length })
    expect(answer.kind === 'content' && answer.body.toString()).toBe('hello '.repeat(100))
  })

  it.each([
    ['plain', gzipSync('hello')],
    ['with all fields of a header', namedMember('hello')],
  ])('takes a whole member of gzip, %s, without stray bytes after it', async (_, member) => {
    const bodies: Record<string, Buffer> = {
      '/stray': Buffer.concat([member, Buffer.from('<!-- garbage -->')]),
      '/zeros': Buffer.concat([member, Buffer.alloc(100)]),
      '/wrong-sum': Buffer.concat([
        member.map((byte, i) => byte ^ (i === member.length - 8 ? 1 : 0)),
        Buffer.from('x'),
      ]),
      '/cut': member.subarray(0, -9),
    }
    const base = await localServer((request, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end(bodies[request.url!])
    })
    const fetcher = localFetcher()
    expect(await textOf(fetcher, `${base}/stray`)).toBe('hello')
    expect(await textOf(fetcher, `${base}/zeros`)).toBe('hello')
    for (const path of ['/wrong-sum', '/cut'])
      expect(await fetcher.fetch({ url: base + path })).toMatchObject({ fault: 'bad-answer' })
  })

  it('unpacks two layers, in the right order, and no more', async () => {
    const twice = brotliCompressSync(gzipSync('deep'))
    const base = await localServer((request, response) => {
      response.setHeader('content-encoding', request.url === '/2' ? 'gzip, br' : 'gzip, gzip, gzip')
      response.end(twice)
    })
    const fetcher = localFetcher()
    expect(await textOf(fetcher, `${base}/2`)).toBe('deep')
    expect(await fetcher.fetch({ url: base })).toMatchObject({
      kind: 'failed',
      fault: 'bad-answer',
    })
  })

  it('sends a page its own headers, and keeps them from others', async () => {
    const other = await localServer((request, response) =>
      response.end(JSON.stringify(request.headers)),
    )
    const base = await localServer((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: other }).end()
      else if (request.url === '/home') response.writeHead(302, { location: '/' }).end()
      else response.end(JSON.stringify(request.headers))
    })
    const headers = {
      Cookie: 'a=1',
      Authorization: basicAuthorization({ user: 'me', password: 'x:y' }),
      'X-Key': 'k',
    }
    const fetcher = localFetcher()
    const seen = async (path: string) => {
      const answer = await fetcher.fetch({ url: base + path, headers })
      return answer.kind === 'content' ? JSON.parse(answer.body.toString()) : answer
    }
    // Base64 of "me:x:y", by hand with coreutils.
    const own = { cookie: 'a=1', authorization: 'Basic bWU6eDp5', 'x-key': 'k' }
    expect(await seen('/')).toMatchObject(own)
    expect(await seen('/home')).toMatchObject(own)
    const away = await seen('/away')
    for (const name of Object.keys(own)) expect(away).not.toHaveProperty(name)
    expect(away['user-agent']).toMatch(/^Revisit/)
  })

  it("takes the page's own address for its site where it is asked for elsewhere", async () => {
    const base = await localServer((request, response) =>
      request.url === '/back'
        ? response.writeHead(302, { location: home }).end()
        : response.end(request.headers.cookie ?? 'none'),
    )
    const home = await localServer((request, response) =>
      response.end(request.headers.cookie ?? 'none'),
    )
    const fetcher = localFetcher()
    const sent = async (path: string, from: string) => {
      const headers = { cookie: 'a=1' }
      const answer = await fetcher.fetch({ url: base + path, home: from, headers })
      return answer.kind === 'content' ? answer.body.toString() : answer
    }
    expect(await sent('/', home)).toBe('none')
    expect(await sent('/', `${base}/old`)).toBe('a=1')
    expect(await sent('/back', home)).toBe('a=1')
    expect(await sent('/', 'no address')).toBe('none')
  })

  it('refuses headers that would change the request itself', async () => {
    const fetch = (headers: Record<string, string>) => localFetcher().fetch({ url: dead, headers })
    await expect(fetch({ Host: 'a' })).rejects.toMatchObject({ code: 'reserved-header' })
    await expect(fetch({ 'x\r\ny': 'a' })).rejects.toMatchObject({ code: 'bad-header' })
    await expect(fetch({ x: 'a\r\nb: c' })).rejects.toMatchObject({ code: 'bad-header' })
  })

  it('throws for an address that is none, and for limits that are none', async () => {
    for (const url of ['', 'x', 'ftp://a.test/', 'file:///etc/passwd', 'javascript:1'])
      await expect(localFetcher().fetch({ url })).rejects.toMatchObject({ code: 'bad-url' })
    expect(() => localFetcher({ limits: { bodyBytes: Number.NaN } })).toThrow(/bodyBytes/)
    expect(() => localFetcher({ allowedNetworks: ['127.0.0.0/33'] })).toThrow(/no network/)
  })

  it.each([
    ['3600', 3600],
    ['99999999', 86400],
    ['Tue, 14 Nov 2023 22:14:20 GMT', 60],
    ['Tue, 14 Nov 2023 22:00:00 GMT', 0],
    ['Tue, 14 Nov 2090 22:00:00 GMT', 86400],
    ['soon', null],
    ['-5', null],
  ])('reads Retry-After: %s', async (text, expected) => {
    // 1,700,000,000 is Tue, 14 Nov 2023 22:13:20 GMT.
    const base = await localServer((_, response) =>
      response.writeHead(429, { 'retry-after': text }).end(),
    )
    const fetcher = localFetcher({ clock: new VirtualClock(1_700_000_000) })
    expect(await fetcher.fetch({ url: base })).toMatchObject({
      kind: 'later',
      retryAfter: expected,
      at: 1_700_000_000,
    })
  })

  it('does not send back validators that cannot be sent', async () => {
    const base = await localServer((request, response) =>
      response.end(String(request.headers['if-none-match'])),
    )
    const validators = { etag: '"\u2603\r\n"' }
    const answer = await localFetcher().fetch({ url: base, validators })
    expect(answer.kind === 'content' && answer.body.toString()).toBe('undefined')
  })

  it('keeps one connection to a host', async () => {
    let open = 0
    let most = 0
    const base = await localServer((_, response) => {
      most = Math.max(most, ++open)
      setTimeout(() => {
        open--
        response.end('x')
      }, 5)
    })
    const fetcher = localFetcher()
    await Promise.all(Array.from({ length: 8 }, () => fetcher.fetch({ url: base })))
    expect(most).toBe(1)
  })

  it('breaks off what is under way when closed', async () => {
    const base = await localServer(() => {})
    const fetcher = localFetcher({ limits: { firstByteTime: 30, wholeTime: 30 } })
    const pending = fetcher.fetch({ url: base })
    await new Promise((resolve) => setTimeout(resolve, 20))
    await fetcher.close()
    expect(await pending).toMatchObject({ kind: 'failed', fault: 'aborted' })
  })
})
