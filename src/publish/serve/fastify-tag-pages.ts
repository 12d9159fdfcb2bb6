import type { IncomingMessage, ServerResponse } from 'node:http'
import { type TagPagesOptions, tagPages } from './tag-pages.js'

/** As much of Fastify as is needed: nothing is imported from it. */
interface FastifyHooks {
  addHook(
    name: 'onRequest',
    hook: (
      request: { readonly raw: IncomingMessage },
      reply: { readonly raw: ServerResponse },
      done: () => void,
    ) => void,
  ): unknown
}

/** A plugin for Fastify: `app.register(fastifyTagPages({ tagFor }))`. */
export function fastifyTagPages(options: TagPagesOptions) {
  const handle = tagPages(options)
  const plugin = (app: FastifyHooks, _: unknown, done: () => void): void => {
    app.addHook('onRequest', (request, reply, next) => handle(request.raw, reply.raw, next))
    done()
  }
  // Without it the hook would hold for this plugin's own routes only.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true })
}
