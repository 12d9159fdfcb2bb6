import swagger from '@fastify/swagger'
import { type TypeBoxTypeProvider, TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox'
import fastify, { type FastifyReply, LogController } from 'fastify'
import { ApiError, errorAnswer } from './api-error.js'
import type { App } from './app.js'
import { openApi } from './docs/open-api.js'
import { KnownMethods } from './known-methods.js'
import { budgetRoutes } from './routes/budget.js'
import { channelRoutes } from './routes/channels.js'
import { contentRoutes } from './routes/contents.js'
import { docsRoutes } from './routes/docs.js'
import { estimateRoutes } from './routes/estimates.js'
import { eventRoutes } from './routes/events.js'
import { exportRoutes } from './routes/export.js'
import { feedRoutes } from './routes/feeds.js'
import { healthRoutes } from './routes/health.js'
import { hostRoutes } from './routes/hosts.js'
import { importRoutes } from './routes/import.js'
import { leaseRoutes } from './routes/leases.js'
import { metricRoutes } from './routes/metrics.js'
import { pageRoutes } from './routes/pages.js'
import { sessionRoutes } from './routes/session.js'
import { settingRoutes } from './routes/settings.js'
import { visitRoutes } from './routes/visits.js'
import { Keys } from './safety/keys.js'
import { Safety } from './safety/safety.js'
import { Sessions } from './safety/sessions.js'
import type { ServiceOptions, ServiceParts } from './service-parts.js'
import { refuseUnread } from './unread-request.js'

/** A service that listens. */
export interface Service {
  /** Such as http://127.0.0.1:7400. */
  readonly address: string
  close(): Promise<void>
}

const bodyBytes = 16 * 1024 * 1024

/** Starts to listen; with everything that `buildService` has. */
export async function openService(
  parts: ServiceParts,
  options: ServiceOptions = {},
): Promise<Service> {
  const app = await buildService(parts, options)
  const address = await app.listen({
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 7400,
  })
  return {
    address,
    async close() {
      parts.feed.close()
      await app.close()
    },
  }
}

/** The API with its safety, not listening yet. */
export async function buildService(
  parts: ServiceParts,
  options: ServiceOptions = {},
): Promise<App> {
  const app = framework(parts, options)
  const safety = new Safety(
    { clock: parts.clock, keys: new Keys(parts), sessions: new Sessions(parts) },
    options,
  )
  const methods = new KnownMethods()
  app.addHook('onRoute', (route) => methods.add(route))
  app.addHook('onRequest', (request, reply) => safety.admit(request, reply))
  app.setErrorHandler((error, request, reply) => {
    const { status, body } = errorAnswer(error, request.routeOptions.schema)
    if (status >= 500) request.log.error({ err: error }, 'a request failed')
    return reply.code(status).send(body)
  })
  app.setNotFoundHandler(({ method, url }, reply) => {
    const path = url.split('?')[0]!.slice(0, 200)
    const known = methods.at(path)
    if (known.length > 0) {
      reply.header('allow', known.join(', '))
      throw new ApiError(405, 'bad-method', `${path} takes ${known.join(', ')}; see /docs`)
    }
    throw new ApiError(404, 'not-found', `there is no ${method} ${path}; see /docs`)
  })
  await app.register(swagger, openApi(parts))
  await app.register(async (inside) => {
    routes(inside as unknown as App, parts)
    sessionRoutes(inside as unknown as App, safety)
  })
  await app.register(async (inside) => importRoutes(inside as unknown as App, parts))
  for (const add of parts.routes ?? [])
    await app.register(async (inside) => add(inside as unknown as App, parts))
  await app.ready()
  return app
}

function routes(app: App, parts: ServiceParts): void {
  pageRoutes(app, parts)
  visitRoutes(app, parts)
  eventRoutes(app, parts)
  healthRoutes(app, parts)
  estimateRoutes(app, parts)
  contentRoutes(app, parts)
  hostRoutes(app, parts)
  leaseRoutes(app, parts)
  channelRoutes(app, parts)
  feedRoutes(app, parts)
  settingRoutes(app, parts)
  if (parts.steward !== undefined) budgetRoutes(app, { ...parts, steward: parts.steward })
  exportRoutes(app, parts)
  metricRoutes(app, parts)
  docsRoutes(app)
}

function framework({ version }: ServiceParts, options: ServiceOptions): App {
  const { log = 'info' } = options
  const app = fastify({
    bodyLimit: options.bodyBytes ?? bodyBytes,
    // A client that sends its request by the byte holds no connection for ever.
    requestTimeout: 300_000,
    forceCloseConnections: true,
    logger: log === false ? false : { level: log, stream: process.stderr, base: { version } },
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 500 },
    clientErrorHandler: refuseUnread,
    frameworkErrors(error, _, reply) {
      const { status, body } = errorAnswer(error)
      return (reply as FastifyReply).code(status).send(body)
    },
  }).withTypeProvider<TypeBoxTypeProvider>()
  // A form of another site can send plain text without being asked back.
  app.removeContentTypeParser('text/plain')
  app.setValidatorCompiler(TypeBoxValidatorCompiler)
  // The schemas of answers are for readers and tests; what is sent is what was made.
  app.setSerializerCompiler(() => JSON.stringify)
  app.addHook('onResponse', async (request, reply) => {
    const { method, url, ip } = request
    const ms = Math.round(reply.elapsedTime)
    request.log.debug({ method, url, ip, status: reply.statusCode, ms }, 'answered')
  })
  return app as unknown as App
}
