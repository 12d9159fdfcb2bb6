import { Type } from 'typebox'
import type { App } from '../app.js'
import { keyCookie } from '../safety/key-check.js'
import type { Safety } from '../safety/safety.js'
import { exactly, refusals } from '../schema/words.js'

/** Not for scripts, not for other sites, for a month. */
const attributes = 'Path=/; HttpOnly; SameSite=Strict'
const month = 30 * 86_400

/**
 * A page in a browser cannot send a header with a stream of events or a frame:
 * it gives its key once and has it kept in a cookie.
 */
export function sessionRoutes(app: App, safety: Safety): void {
  const tags = ['settings']
  const response = { 200: Type.Object({ status: Type.Literal('ok') }), ...refusals }

  app.post(
    '/api/session',
    {
      schema: {
        operationId: 'openSession',
        summary: 'Keep a key in a cookie, for pages in a browser',
        tags,
        body: exactly({ key: Type.String({ pattern: '^[\\w-]{1,200}$' }) }),
        response,
      },
    },
    async ({ body }, reply) => {
      await safety.checkKey(body.key)
      reply.header('set-cookie', `${keyCookie}=${body.key}; ${attributes}; Max-Age=${month}`)
      return { status: 'ok' as const }
    },
  )

  app.delete(
    '/api/session',
    {
      schema: { operationId: 'closeSession', summary: 'Forget that key', tags, response },
    },
    async (_, reply) => {
      reply.header('set-cookie', `${keyCookie}=; ${attributes}; Max-Age=0`)
      return { status: 'ok' as const }
    },
  )
}
