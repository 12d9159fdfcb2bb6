import type { App } from '../app.js'
import { followVisits } from '../events/follow-visits.js'
import { ServiceMetrics } from '../metrics/service-metrics.js'
import { refusals, textOf } from '../schema/words.js'
import type { ServiceParts } from '../service-parts.js'

/** Numbers for Prometheus. */
export function metricRoutes(app: App, parts: ServiceParts): void {
  const metrics = new ServiceMetrics()
  const end = new AbortController()
  app.addHook('onClose', async () => end.abort())
  const { feed } = parts
  followVisits(feed, {
    after: feed.last,
    take: (visit) => metrics.count(visit),
    signal: end.signal,
  }).catch((error: unknown) => app.log.error({ err: error }, 'visits are no longer counted'))

  app.get(
    '/metrics',
    {
      schema: {
        operationId: 'metrics',
        summary: 'Numbers for Prometheus',
        tags: ['health'],
        response: { 200: textOf('text/plain'), ...refusals },
      },
    },
    async (_, reply) => {
      reply.type(metrics.registry.contentType)
      return metrics.text(parts)
    },
  )
}
