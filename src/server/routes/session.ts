import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../app.js'
import { sessionCookie, sessionOf } from '../safety/key-check.js'
import type { Safety } from '../safety/safety.js'
import { sessionSeconds } from '../safety/sessions.js'
import { exactly, refusals } from '../schema/words.js'

/** Not for scripts, not for other sites. */
const attributes = 'Path=/; HttpOnly; SameSite=Strict'
/** Earlier versions kept the key itself in a cookie: it is taken out of the browser. */
const formerCookie = `revisit-key=; ${attributes}; Max-Age=0`

/**
 * A page in a browser cannot send a header with a stream of events or a frame:
 * it gives its key once and is known by a session from then on.
 */
export function sessionRoutes(app: App, safety: Safety): void {
  const tags = ['settings']
  const response = { 200: Type.Object({ status: Type.Literal('ok') }), ...refusals }

  app.post(
    '/api/session',
    {
      schema: {
        operationId: 'openSession',
        summary: 'Open a session for a page in a browser: a cookie with a random id',
        tags,
        body: exactly({ key: Type.String({ pattern: '^[\\w-]{1,200}$' }) }),
        response,
      },
    },
    async (request, reply) => {
      const id = await safety.openSession(request.body.key)
      const cookie = `${sessionCookie}=${id}; ${attributes}; Max-Age=${sessionSeconds}`
      reply.header('set-cookie', [secured(cookie, request), formerCookie])
      return { status: 'ok' as const }
    },
  )

  app.delete(
    '/api/session',
    {
      schema: { operationId: 'closeSession', summary: 'End this session', tags, response },
    },
    async (request, reply) => {
      const id = sessionOf(request)
      if (id !== undefined) await safety.endSession(id)
      const cookie = `${sessionCookie}=; ${attributes}; Max-Age=0`
      reply.header('set-cookie', [secured(cookie, request), formerCookie])
      return { status: 'ok' as const }
    },
  )
}

/**
 * Where the browser speaks TLS, the cookie goes over TLS alone. Only the proxy
 * before us knows: it says so, or the browser does by the origin of its page.
 */
function secured(cookie: string, { headers, protocol }: FastifyRequest): string {
  const [forwarded] = String(headers['x-forwarded-proto'] ?? '').split(',')
  const tls =
    protocol === 'https' ||
    forwarded!.trim().toLowerCase() === 'https' ||
    headers.origin?.startsWith('https://') === true
  return tls ? `${cookie}; Secure` : cookie
}
