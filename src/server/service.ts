/** The service: the framework, its safety, and every route. */

import swagger from '@fastify/swagger'
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox'
import fastify, { type FastifyReply, LogController } from 'fastify'
import { budgetRoutes } from './collection/budget.js'
import { healthRoutes, metricRoutes } from './collection/health.js'
import { hostRoutes } from './collection/hosts.js'
import { settingRoutes } from './collection/settings.js'
import { docsRoutes, openApi } from './docs.js'
import { ApiError, errorAnswer, refuseUnread } from './errors.js'
import { changeRoutes } from './events/changes.js'
import { channelRoutes } from './events/channels.js'
import { eventRoutes } from './events/events.js'
import { feedRoutes } from './events/feeds.js'
import { leaseRoutes } from './leases/leases.js'
import { logStream } from './log-stream.js'
import { contentRoutes } from './pages/contents.js'
import { estimateRoutes } from './pages/estimates.js'
import { exportRoutes } from './pages/export.js'
import { importRoutes } from './pages/import.js'
import { offerRoutes } from './pages/offers.js'
import { pageRoutes } from './pages/pages.js'
import { ruleRoutes } from './pages/rules.js'
import { trialRoutes } from './pages/trial.js'
import { visitRoutes } from './pages/visits.js'
import { Keys } from './safety/keys.js'
import { Password, passwordRoutes } from './safety/password.js'
import { Safety } from './safety/safety.js'
import { Sessions, sessionRoutes } from './safety/sessions.js'
import type { SchemaTypes } from './schema.js'
import type { AddRoutes, App, ServiceOptions, ServiceParts } from './service-parts.js'

interface KnownRoute {
  readonly method: string | readonly string[]
  readonly url: string
}

/** Which methods each path of the service takes, for those who ask with another. */
class KnownMethods {
  readonly #routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = []

  add({ method, url }: KnownRoute): void {
    const steps = url.split('/').map((step) => (step.startsWith(':') ? '[^/]+' : literal(step)))
    const methods = typeof method === 'string' ? [method] : method
    this.#routes.push({ pattern: new RegExp(`^${steps.join('/')}$`), methods })
  }

  /** In order of the alphabet; none where there is no such path. */
  at(path: string): readonly string[] {
    const found = this.#routes.filter(({ pattern }) => pattern.test(path))
    return [...new Set(found.flatMap(({ methods }) => methods))].sort()
  }
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

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
  const [keys, sessions, password] = [new Keys(parts), new Sessions(parts), new Password(parts)]
  const safety = new Safety({ clock: parts.clock, keys, sessions, password }, options)
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
  const all: AddRoutes = (inside) => {
    routes(inside, parts)
    sessionRoutes(inside, { ...parts, keys, sessions, password })
    passwordRoutes(inside, { ...parts, password })
  }
  for (const add of [all, importRoutes, ...(parts.routes ?? [])])
    await app.register(async (inside) => add(inside.withTypeProvider<SchemaTypes>(), parts))
  await app.ready()
  return app
}

function routes(app: App, parts: ServiceParts): void {
  pageRoutes(app, parts)
  trialRoutes(app, parts)
  visitRoutes(app, parts)
  eventRoutes(app, parts)
  changeRoutes(app, parts)
  healthRoutes(app, parts)
  estimateRoutes(app, parts)
  contentRoutes(app, parts)
  ruleRoutes(app, parts)
  offerRoutes(app, parts)
  hostRoutes(app, parts)
  leaseRoutes(app, parts)
  channelRoutes(app, parts)
  feedRoutes(app, parts)
  settingRoutes(app, parts)
  if (parts.controller !== undefined) budgetRoutes(app, { ...parts, controller: parts.controller })
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
    logger: log === false ? false : { level: log, stream: logStream(), base: { version } },
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 500 },
    clientErrorHandler: refuseUnread,
    frameworkErrors(error, _, reply) {
      const { status, body } = errorAnswer(error)
      return (reply as FastifyReply).code(status).send(body)
    },
  }).withTypeProvider<SchemaTypes>()
  // A form of another site can send plain text without being asked back.
  app.removeContentTypeParser('text/plain')
  app.setValidatorCompiler(TypeBoxValidatorCompiler)
  // Answers are held to their schemas by the compiler and by tests; what is sent is what was made.
  app.setSerializerCompiler(() => JSON.stringify)
  app.addHook('onResponse', async (request, reply) => {
    const { method, url, ip } = request
    const ms = Math.round(reply.elapsedTime)
    request.log.debug({ method, url, ip, status: reply.statusCode, ms }, 'answered')
  })
  return app
}
