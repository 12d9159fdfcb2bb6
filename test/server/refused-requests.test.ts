import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { dashboardRoutes } from '../../src/server/dashboard.js'
import { aService } from './a-service.js'

interface Described {
  readonly paths: Record<string, Record<string, { responses: Record<string, Answer> }>>
}
interface Answer {
  readonly content?: Record<string, { schema?: object }>
}

const everything = () => aService({ parts: { routes: [dashboardRoutes()] } })

describe('a method that a path does not take', () => {
  it('is answered 405 on every path, with those that it takes', async () => {
    const { app, ask } = await everything()
    const { paths } = (await ask('GET', '/openapi.json')).json as Described
    expect(Object.keys(paths).length).toBeGreaterThan(40)
    for (const [path, methods] of Object.entries(paths)) {
      const url = path.replace('{id}', '1').replace(/\{\w+\}/g, 'x')
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        if (method.toLowerCase() in methods) continue
        const { statusCode, headers, body } = await app.inject({
          method,
          url: `${url}?x=1`,
          headers: { host: 'localhost' },
        })
        // Below a path with a name in it lies another that takes any name.
        if (['/api/pages/remove', '/api/channels/kinds', '/api/channels/preview'].includes(path))
          if (method !== 'PUT') continue
        const allowed = Object.keys(methods).map((each) => each.toUpperCase())
        expect(statusCode, `${method} ${url}`).toBe(405)
        expect(String(headers.allow).split(', '), url).toEqual(expect.arrayContaining(allowed))
        expect(headers.allow).not.toContain(method)
        expect(JSON.parse(body)).toMatchObject({ error: { code: 'bad-method' } })
      }
    }
  })

  it('is not told apart from an unknown path without a key', async () => {
    const { app } = await aService({ options: { requireKey: true } })
    for (const url of ['/api/pages', '/none'])
      expect(
        (await app.inject({ method: 'PUT', url, headers: { host: 'localhost' } })).statusCode,
      ).toBe(401)
  })

  it('leaves a path that nobody knows not found', async () => {
    const { ask } = await everything()
    for (const url of ['/api/none', '/api/pages/1/none', '/api/pages/', '/api/page.'])
      expect(await ask('POST', url, {}), url).toMatchObject({
        status: 404,
        json: { error: { code: 'not-found' } },
      })
  })
})

describe('what is no request', () => {
  const cases = [
    [
      'headers too long',
      `GET /health HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`,
      431,
      'too-large',
    ],
    ['no HTTP', 'HELO mail.example\r\n\r\n', 400, 'bad-request'],
    [
      'two lengths',
      'POST /api/pages HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
      400,
      'bad-request',
    ],
  ] as const

  it.each(cases)('is refused in the one form of errors: %s', async (_, text, status, code) => {
    const { app } = await aService()
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as { port: number }
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('utf8').on('data', (piece) => (answer += piece))
    socket.write(text)
    await once(socket, 'close')
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    const [head, body] = answer.split('\r\n\r\n')
    expect(head).toMatch(/content-type: application\/json/)
    expect(head).toContain(`content-length: ${body!.length}`)
    expect(JSON.parse(body!)).toEqual({ error: { code, message: expect.stringMatching(/./) } })
  })
})
