import fastifyStatic from '@fastify/static'
import { type Beside, besideRoutes } from './collection/beside.js'
import { type DemoTruth, demoRoutes } from './collection/demo.js'
import { overviewRoutes } from './collection/overview.js'
import { timelineRoutes } from './pages/visits.js'
import type { SchemaTypes } from './schema.js'
import type { AddRoutes, App } from './service-parts.js'

export interface DashboardOptions {
  /** Where its files are; without it only what it asks for is served. */
  readonly folder?: string | undefined
  /** What the demo web knows of itself, where one is followed. */
  readonly demo?: DemoTruth
  /** The other service that a person may go to. */
  readonly beside?: Beside
}

/**
 * Only what we serve ourselves: no script or style in the page, nothing from
 * elsewhere. A title or a diff that carries a script is text twice over.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  // Kept versions, which bring a stricter policy of their own.
  "frame-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The names of files under assets/ hold their hash: they never change. */
const forEver = 'public, max-age=31536000, immutable'

/** The dashboard at `/`, and what only it asks for. */
export function dashboardRoutes({ folder, demo, beside }: DashboardOptions = {}): AddRoutes {
  return async (app, parts) => {
    overviewRoutes(app, { ...parts, demo, beside })
    timelineRoutes(app, parts)
    if (demo !== undefined) demoRoutes(app, demo)
    if (beside !== undefined) besideRoutes(app, beside)
    if (folder !== undefined)
      await app.register(async (inside) => files(inside.withTypeProvider<SchemaTypes>(), folder))
  }
}

async function files(app: App, root: string): Promise<void> {
  app.addHook('onSend', async ({ url }, reply) => {
    reply.header('content-security-policy', policy)
    reply.header('cache-control', url.startsWith('/assets/') ? forEver : 'no-cache')
  })
  // A fixed list of files and no other path: nothing outside the folder can be asked for.
  await app.register(fastifyStatic, { root, wildcard: false, cacheControl: false })
}
