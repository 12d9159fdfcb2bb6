import type { Socket } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { FetchAnswer } from '../../src/model/fetcher.js'
import { localServer, rawServer } from '../fixtures/local-server.js'
import { selfSignedServer } from '../fixtures/self-signed.js'
import { localFetcher } from './local-fetcher.js'

/** More than the limits of `localFetcher`, far less than a hang. */
const patience = 15_000

/** For those who would use up any time they are given. */
const short = { firstByteTime: 0.3, wholeTime: 0.4 }

const ok = 'HTTP/1.1 200 OK\r\n'
const MB = 1 << 20

/** Writes for as long as somebody listens. */
function pour(socket: Socket, chunk: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.writable) if (!socket.write(chunk)) break
  }
  socket.on('drain', more)
  more()
}

function drip(socket: Socket, text: string): void {
  let at = 0
  const timer = setInterval(() => {
    if (socket.destroyed) clearInterval(timer)
    else socket.write(text[at++ % text.length]!)
  }, 20)
  socket.on('close', () => clearInterval(timer))
}

const zeros = Buffer.alloc(64 * MB)
const bombs: Record<string, Buffer> = {
  gzip: gzipSync(zeros),
  br: brotliCompressSync(zeros.subarray(0, 16 * MB)),
}
const packed = (coding: string, bytes: Buffer) => (socket: Socket) => {
  socket.write(`${ok}content-encoding: ${coding}\r\ncontent-length: ${bytes.length}\r\n\r\n`)
  socket.end(bytes)
}
const says = (text: string) => (socket: Socket) => socket.end(text)

const cases: ReadonlyArray<
  readonly [name: string, answer: (socket: Socket) => void, outcome: string]
> = [
  ['says nothing', () => {}, 'timeout'],
  ['drips its headers', (socket) => drip(socket, `${ok}x-drip: a\r\n`), 'timeout'],
  [
    'drips its body',
    (socket) => {
      socket.write(`${ok}\r\n`)
      drip(socket, 'x')
    },
    'timeout',
  ],
  [
    'stops in its body',
    (socket) => socket.write(`${ok}content-length: 100\r\n\r\nhalf`),
    'timeout',
  ],
  [
    'has an endless body',
    (socket) => {
      socket.write(`${ok}\r\n`)
      pour(socket, 'x'.repeat(65536))
    },
    'too-large',
  ],
  [
    'has endless chunks',
    (socket) => {
      socket.write(`${ok}transfer-encoding: chunked\r\n\r\n`)
      pour(socket, `10000\r\n${'x'.repeat(65536)}\r\n`)
    },
    'too-large',
  ],
  ['promises a terabyte', says(`${ok}content-length: 1099511627776\r\n\r\nx`), 'reset'],
  ['sends a gzip bomb', packed('gzip', bombs.gzip!), 'too-large'],
  ['sends a brotli bomb', packed('br', bombs.br!), 'too-large'],
  ['sends a bomb in a bomb', packed('gzip, gzip', gzipSync(bombs.gzip!)), 'too-large'],
  [
    'sends a gzip bomb with stray bytes',
    packed('gzip', Buffer.concat([bombs.gzip!, Buffer.from('stray')])),
    'too-large',
  ],
  ['calls plain text gzip', packed('gzip', Buffer.from('not packed at all')), 'bad-answer'],
  [
    'cuts its gzip short',
    packed('gzip', gzipSync('hello '.repeat(1000)).subarray(0, 30)),
    'bad-answer',
  ],
  ['packs in a way nobody knows', packed('zstd-and-more', Buffer.from('x')), 'bad-answer'],
  ['closes at once', (socket) => socket.destroy(), 'reset'],
  ['resets the connection', (socket) => socket.resetAndDestroy(), 'reset'],
  ['closes within its headers', says('HTTP/1.1 200 OK\r\ncontent-ty'), 'reset'],
  ['sends less than it promised', says(`${ok}content-length: 100\r\n\r\nshort`), 'reset'],
  ['sends more than it promised', says(`${ok}content-length: 3\r\n\r\nabcdef`), 'content'],
  [
    'names two lengths',
    says(`${ok}content-length: 3\r\ncontent-length: 5\r\n\r\nabcde`),
    'bad-answer',
  ],
  ['names a negative length', says(`${ok}content-length: -3\r\n\r\nabc`), 'bad-answer'],
  ['names a length that is no number', says(`${ok}content-length: many\r\n\r\nabc`), 'bad-answer'],
  ['breaks its chunks', says(`${ok}transfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n`), 'bad-answer'],
  [
    'names a chunk of absurd size',
    says(`${ok}transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc`),
    'bad-answer',
  ],
  [
    'ends without a last chunk',
    says(`${ok}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`),
    'reset',
  ],
  [
    'has megabytes of one header',
    (socket) => {
      socket.write(`${ok}x-large: `)
      pour(socket, 'x'.repeat(65536))
    },
    'too-large',
  ],
  [
    'has endless headers',
    (socket) => {
      socket.write(ok)
      pour(socket, 'x-more: yes\r\n'.repeat(1000))
    },
    'too-large',
  ],
  ['is no web server', says('220 mail.test ESMTP ready\r\n'), 'bad-answer'],
  ['speaks binary', says('\x00\x01\x02\xff\xfe'.repeat(100)), 'bad-answer'],
  ['has a status of 999', says('HTTP/1.1 999 Odd\r\n\r\n'), 'bad-answer'],
  ['has a status of 99', says('HTTP/1.1 99 Odd\r\n\r\n'), 'bad-answer'],
  [
    'switches protocols unasked',
    says('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    'reset',
  ],
  [
    'sends a part unasked',
    says('HTTP/1.1 206 Partial\r\ncontent-range: bytes 0-2/9\r\ncontent-length: 3\r\n\r\nabc'),
    'bad-answer',
  ],
  ['says "not modified" unasked', says('HTTP/1.1 304 Not Modified\r\n\r\n'), 'bad-answer'],
  [
    'redirects without saying where',
    says('HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n'),
    'bad-answer',
  ],
  [
    'redirects out of the web',
    says('HTTP/1.1 302 Found\r\nlocation: file:///etc/passwd\r\ncontent-length: 0\r\n\r\n'),
    'bad-answer',
  ],
  [
    'redirects to nonsense',
    says('HTTP/1.1 302 Found\r\nlocation: http://[\r\ncontent-length: 0\r\n\r\n'),
    'bad-answer',
  ],
  [
    'redirects with an endless body',
    (socket) => {
      socket.write('HTTP/1.1 302 Found\r\nlocation: http://10.0.0.1/\r\n\r\n')
      pour(socket, 'x'.repeat(65536))
    },
    'address-refused',
  ],
  [
    'is gone with an endless body',
    (socket) => {
      socket.write('HTTP/1.1 404 Not Found\r\n\r\n')
      pour(socket, 'x'.repeat(65536))
    },
    'gone',
  ],
  [
    'is gone with a body that stops',
    (socket) => socket.write('HTTP/1.1 410 Gone\r\ncontent-length: 9\r\n\r\nx'),
    'gone',
  ],
  ['has an empty answer', says('HTTP/1.1 204 No Content\r\n\r\n'), 'content'],
]

const outcomeOf = (answer: FetchAnswer) => (answer.kind === 'failed' ? answer.fault : answer.kind)

describe('a server that', () => {
  it.each(cases)('%s', { timeout: patience }, async (_, answer, outcome) => {
    const url = await rawServer(answer)
    const before = process.memoryUsage().arrayBuffers
    const got = await localFetcher(outcome === 'timeout' ? { limits: short } : {}).fetch({ url })
    expect([outcomeOf(got), got.kind === 'failed' ? got.message : '']).toEqual([
      outcome,
      expect.any(String),
    ])
    // The limit is 1 MB; a few chunks may be on their way.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * MB)
    expect(got.bytesReceived).toBeLessThan(8 * MB)
  })

  it('cuts its answer at any byte: it is whole or a failure', { timeout: 60_000 }, async () => {
    const body = '<p>the tide was late and the boats came in with lanterns lit</p>'
    const headers = `content-type: text/html\r\netag: "a"\r\nlast-modified: Mon, 02 Nov 2026 10:00:00 GMT`
    const whole = `${ok}${headers}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    let cut = 0
    const url = await rawServer((socket) => socket.end(whole.slice(0, cut)))
    const fetcher = localFetcher()
    for (cut = 0; cut < whole.length; cut++)
      expect((await fetcher.fetch({ url })).kind, `cut at ${cut}`).toBe('failed')
    expect(whole.length).toBe(185)
    expect((await fetcher.fetch({ url })).kind).toBe('content')
  })

  it('sends interim answers without end', { timeout: patience }, async () => {
    const url = await rawServer((socket) =>
      pour(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)),
    )
    expect((await localFetcher({ limits: short }).fetch({ url })).kind).toBe('failed')
  })

  it('redirects in a circle, or on and on', async () => {
    const url = await localServer((request, response) => {
      const [, kind, n] = request.url!.split('/')
      const next = kind === 'circle' ? `/circle/${(Number(n) + 1) % 3}` : `/on/${Number(n) + 1}`
      response.writeHead(301, { location: next }).end()
    })
    const fetcher = localFetcher()
    expect(outcomeOf(await fetcher.fetch({ url: `${url}/circle/0` }))).toBe('redirect-loop')
    expect(outcomeOf(await fetcher.fetch({ url: `${url}/on/0` }))).toBe('too-many-redirects')
  })

  it('speaks no TLS where it should', async () => {
    const url = await rawServer(says('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(outcomeOf(await localFetcher().fetch({ url: url.replace('http:', 'https:') }))).toBe(
      'tls',
    )
  })

  it('shows a certificate that no one vouches for', async () => {
    let asked = 0
    const url = await selfSignedServer((_, response) => {
      asked++
      response.end('trust me')
    })
    expect(outcomeOf(await localFetcher().fetch({ url }))).toBe('tls')
    expect(asked).toBe(0)
  })
})

describe('while hosts hang', () => {
  it('others are visited', { timeout: patience }, async () => {
    const fetcher = localFetcher({ limits: { firstByteTime: 5, wholeTime: 5 } })
    const stop = new AbortController()
    const slow = await Promise.all(Array.from({ length: 20 }, () => rawServer(() => {})))
    const hanging = Promise.all(slow.map((url) => fetcher.fetch({ url }, { signal: stop.signal })))
    const good = await localServer((_, response) => response.end('fine'))
    expect((await fetcher.fetch({ url: good })).kind).toBe('content')
    stop.abort()
    for (const answer of await hanging) expect(outcomeOf(answer)).toBe('aborted')
  })

  it('a host that misbehaved is visited again', async () => {
    let first = true
    const url = await rawServer((socket) => {
      socket.end(first ? 'nonsense\r\n\r\n' : `${ok}content-length: 2\r\n\r\nok`)
      first = false
    })
    const fetcher = localFetcher()
    expect(outcomeOf(await fetcher.fetch({ url }))).toBe('bad-answer')
    expect(outcomeOf(await fetcher.fetch({ url }))).toBe('content')
  })
})
