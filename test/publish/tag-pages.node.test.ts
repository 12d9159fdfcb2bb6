import { get, type IncomingMessage, type RequestListener, request as send } from 'node:http'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DAY } from '../../src/model/units.js'
import { fastifyTagPages, type TagPagesHandler, tagPages } from '../../src/publish/tag-pages.js'
import { localServer } from '../fixtures/local-server.js'

const tag = '<meta name="Change-Frequency" content="PERIODIC=2">'
const page = '<!doctype html><html><head><title>a</title></head><body>é</body>'
const tagged = page.replace('<head>', `<head>${tag}`)
const html = { 'content-type': 'text/html; charset=utf-8' }
const tagFor = () => ({ kind: 'periodic', period: 2 * DAY }) as const

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

function ask(
  url: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = send(url, { method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8')
        resolve({ status: answer.statusCode, headers: answer.headers, body })
      })
    })
    asked.on('error', reject).end()
  })
}

/** A server whose application is called after the handler, as in Express. */
function served(application: RequestListener, handler = tagPages({ tagFor })): Promise<string> {
  return localServer((request, response) =>
    handler(request, response, () => application(request, response)),
  )
}

describe('a page served by node:http', () => {
  it.each<[string, RequestListener]>([
    ['in one piece', (_, response) => response.writeHead(200, html).end(page)],
    [
      'with a length',
      (_, response) => {
        response.writeHead(200, 'Fine', { ...html, 'content-length': Buffer.byteLength(page) })
        response.end(page)
      },
    ],
    [
      'with headers in a list',
      (_, response) => {
        response.writeHead(200, [
          'Content-Type',
          'text/html',
          'Set-Cookie',
          'a=1',
          'Set-Cookie',
          'b=2',
        ])
        response.end(page)
      },
    ],
    [
      'without writeHead',
      (_, response) => {
        response.setHeader('content-type', 'TEXT/HTML')
        response.write(page.slice(0, 20))
        response.end(Buffer.from(page.slice(20)))
      },
    ],
    [
      'byte by byte',
      (_, response) => {
        response.writeHead(200, html)
        for (const byte of Buffer.from(page)) response.write(Uint8Array.of(byte))
        response.end()
      },
    ],
    [
      'in another encoding of its pieces',
      (_, response) => {
        response.writeHead(200, html)
        response.write(Buffer.from(page).toString('base64'), 'base64', () => response.end())
      },
    ],
  ])('%s gets its tag', async (_, application) => {
    const { status, headers, body } = await ask(await served(application))
    expect({ status, body }).toEqual({ status: 200, body: tagged })
    const length = headers['content-length']
    if (length !== undefined) expect(Number(length)).toBe(Buffer.byteLength(tagged))
  })

  it('keeps cookies that are set twice', async () => {
    const list = ['content-type', 'text/html', 'set-cookie', 'a=1', 'set-cookie', 'b=2']
    const { headers } = await ask(
      await served((_, response) => response.writeHead(200, list).end(page)),
    )
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2'])
  })

  it('flows on once its head is known', async () => {
    let release = () => {}
    const base = await served((_, response) => {
      response.writeHead(200, html)
      response.write(`${page}${'x'.repeat(3000)}`)
      release = () => response.end('end')
    })
    const first = await new Promise<string>((resolve) => {
      get(base, (answer) => answer.once('data', (chunk) => resolve(String(chunk))))
    })
    // The answer has not ended, and its first part is here.
    expect(first.startsWith(tagged)).toBe(true)
    release()
  })

  it('with a length that is told beforehand is as long as told', async () => {
    const long = `${page}${'é'.repeat(40_000)}`
    const base = await served((_, response) => {
      response.writeHead(200, { ...html, 'content-length': Buffer.byteLength(long) })
      Readable.from([long.slice(0, 9000), long.slice(9000)]).pipe(response)
    })
    const { headers, body } = await ask(base)
    expect(body).toBe(long.replace('<head>', `<head>${tag}`))
    expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body))
  })

  it('whose headers are sent beforehand is tagged only if that breaks no promise', async () => {
    const flushed = (length: Record<string, number>) =>
      served((_, response) => {
        for (const [name, value] of Object.entries({ ...html, ...length }))
          response.setHeader(name, value)
        response.flushHeaders()
        response.end(page)
      })
    expect((await ask(await flushed({}))).body).toBe(tagged)
    expect((await ask(await flushed({ 'content-length': Buffer.byteLength(page) }))).body).toBe(
      page,
    )
  })

  it('with an endless head is let go as it is', async () => {
    const endless = `<html><head>${'<link>'.repeat(60_000)}`
    const base = await served((_, response) => {
      response.writeHead(200, html)
      Readable.from(endless.match(/.{1,16000}/gs)!).pipe(response)
    })
    expect((await ask(base)).body === endless).toBe(true)
  })

  // Everything else passes as it is.
  it.each<[string, RequestListener]>([
    ['text', (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(page)],
    ['nothing said of its type', (_, response) => response.end(page)],
    ['not found', (_, response) => response.writeHead(404, html).end(page)],
    [
      'part of it',
      (_, response) =>
        response.writeHead(206, { ...html, 'content-range': 'bytes 0-9/99' }).end(page),
    ],
    [
      'not to be transformed',
      (_, response) =>
        response.writeHead(200, { ...html, 'cache-control': 'public, no-transform' }).end(page),
    ],
    ['a piece of a page', (_, response) => response.writeHead(200, html).end('<li>a')],
    [
      'in UTF-16',
      (_, response) =>
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-16le' }).end(page),
    ],
  ])('%s: is left alone', async (_, application) => {
    const plain = await ask(await localServer(application))
    const passed = await ask(await served(application))
    const { date: _a, ...before } = plain.headers
    const { date: _b, ...after } = passed.headers
    expect({ status: passed.status, body: passed.body }).toEqual({
      status: plain.status,
      body: plain.body,
    })
    expect({ ...after, 'transfer-encoding': 0, 'content-length': 0 }).toEqual({
      ...before,
      'transfer-encoding': 0,
      'content-length': 0,
    })
  })

  it('packed: is left alone', async () => {
    const packed = gzipSync(page)
    const base = await served((_, response) =>
      response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(packed),
    )
    expect((await ask(base)).body).toBe(packed.toString('utf8'))
  })

  it('that nothing is said about is left alone', async () => {
    const quiet = tagPages({ tagFor: (path) => (path === '/a' ? 'STATIC' : null) })
    const base = await served((_, response) => response.writeHead(200, html).end(page), quiet)
    expect((await ask(`${base}/b?/a`)).body).toBe(page)
    expect((await ask(`${base}/a?b`)).body).toContain('content="STATIC"')
    expect((await ask(`${base}/a`, { method: 'POST' })).body).toBe(page)
  })
})

describe('validators of a tagged page', () => {
  /** An application that answers conditional requests by its own ETag. */
  const application: RequestListener = (request, response) => {
    const headers = { ...html, etag: '"v1"', 'accept-ranges': 'bytes', 'content-md5': 'x' }
    if (request.headers.range !== undefined) return response.writeHead(206, headers).end('part')
    if (request.headers['if-none-match']?.includes('"v1"'))
      return response.writeHead(304, { etag: '"v1"' }).end()
    response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(page) })
    response.end(request.method === 'HEAD' ? undefined : page)
  }

  it('tell the tag, and are undone before the application sees them', async () => {
    let content = 'PERIODIC=2'
    const handler: TagPagesHandler = tagPages({ tagFor: () => content })
    const base = await served(application, handler)
    const first = await ask(base)
    const { etag } = first.headers
    expect(etag).toBe('"v1+cf-PERIODIC=2"')
    expect(first.headers).not.toHaveProperty('content-md5')
    expect(first.headers).not.toHaveProperty('accept-ranges')
    const again = await ask(base, { headers: { 'if-none-match': `"x", ${etag}` } })
    expect([again.status, again.headers.etag]).toEqual([304, etag])
    // Another tag is another page.
    content = 'STATIC'
    const changed = await ask(base, { headers: { 'if-none-match': etag! } })
    expect([changed.status, changed.headers.etag]).toEqual([200, '"v1+cf-STATIC"'])
    expect(changed.body).toContain('content="STATIC"')
  })

  it('of HEAD are those of GET, without a length', async () => {
    const { headers, body } = await ask(await served(application), { method: 'HEAD' })
    expect([headers.etag, headers['content-length'], body]).toEqual([
      '"v1+cf-PERIODIC=2"',
      undefined,
      '',
    ])
  })

  it('leave no range', async () => {
    const { status, body } = await ask(await served(application), {
      headers: { range: 'bytes=0-3' },
    })
    expect({ status, body }).toEqual({ status: 200, body: tagged })
  })
})

describe('a page served by Fastify', () => {
  async function app() {
    const server = fastify()
    onTestFinished(() => server.close())
    await server.register(fastifyTagPages({ tagFor }))
    server.get('/text', (_, reply) => reply.type('text/html').send(page))
    server.get('/bytes', (_, reply) => reply.type('text/html').send(Buffer.from(page)))
    server.get('/stream', (_, reply) =>
      reply.type('text/html').send(Readable.from([page.slice(0, 7), page.slice(7)])),
    )
    server.get('/json', () => ({ page }))
    server.get('/etag', (request, reply) =>
      request.headers['if-none-match'] === '"1"'
        ? reply.code(304).header('etag', '"1"').send()
        : reply.type('text/html').header('etag', '"1"').send(page),
    )
    return server.listen({ host: '127.0.0.1', port: 0 })
  }

  it('gets its tag: text, bytes and streams, and nothing else does', async () => {
    const base = await app()
    for (const path of ['/text', '/bytes', '/stream'])
      expect((await ask(base + path)).body).toBe(tagged)
    expect(JSON.parse((await ask(`${base}/json`)).body)).toEqual({ page })
    const head = await ask(`${base}/text`, { method: 'HEAD' })
    expect([head.status, head.body]).toEqual([200, ''])
  })

  it('can be asked conditionally', async () => {
    const base = await app()
    const { etag } = (await ask(`${base}/etag`)).headers
    const again = await ask(`${base}/etag`, { headers: { 'if-none-match': etag! } })
    expect([again.status, again.headers.etag, again.body]).toEqual([304, etag, ''])
  })
})

describe('a handler of Express', () => {
  it('goes by the whole path, not by that below where it is mounted', async () => {
    const paths: string[] = []
    const handler = tagPages({
      tagFor: (path) => {
        paths.push(path)
        return null
      },
    })
    const base = await localServer((request, response) => {
      Object.assign(request, { originalUrl: request.url, url: '/inner' })
      handler(request, response, () => response.end())
    })
    await ask(`${base}/docs/inner?x=1`)
    expect(paths).toEqual(['/docs/inner'])
  })
})
