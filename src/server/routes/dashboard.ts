import fastifyStatic from '@fastify/static'
import type { App } from '../app.js'
import type { ServiceParts } from '../service-parts.js'
import { demoRoutes } from './demo.js'
import { overviewRoutes } from './overview.js'
import { timelineRoutes } from './timelines.js'

/**
 * Only what we serve ourselves: no script or style in the page, nothing from
 * elsewhere, no frame. A title or a diff that carries a script is text twice over.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The names of files under assets/ hold their hash: they never change. */
const forEver = 'public, max-age=31536000, immutable'

/** The dashboard's files at `/`, where the service was given them. */
export async function dashboardRoutes(app: App, { dashboard }: ServiceParts): Promise<void> {
  if (dashboard === undefined) return
  await app.register(async (inside) => {
    inside.addHook('onSend', async ({ url }, reply) => {
      reply.header('content-security-policy', policy)
      reply.header('cache-control', url.startsWith('/assets/') ? forEver : 'no-cache')
    })
    await inside.register(fastifyStatic, {
      root: dashboard,
      // A fixed list of files and no other path: nothing outside the folder can be asked for.
      wildcard: false,
      cacheControl: false,
    })
  })
}

/** What only the dashboard asks for. */
export function viewRoutes(app: App, parts: ServiceParts): void {
  overviewRoutes(app, parts)
  timelineRoutes(app, parts)
  demoRoutes(app, parts)
}
