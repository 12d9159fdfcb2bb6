import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { ServiceParts } from '../service-parts.js'

const description = `Revisit keeps a local copy of changing web pages fresh with few requests.
Times are Unix seconds, durations seconds. Every error has one form: {"error": {"code", "message"}}.
Writes are JSON. Off loopback every request but /health and /ready brings a key:
Authorization: Bearer KEY (revisit key add NAME).`

/** What stands above the routes in the description of the API. */
export function openApi({ version }: Pick<ServiceParts, 'version'>): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Revisit', version, description },
      tags: [
        { name: 'pages', description: 'The pages that are followed' },
        { name: 'visits', description: 'What visits found, as they happen too' },
        { name: 'contents', description: 'Kept versions of pages, and what changed between them' },
        { name: 'hosts', description: 'Hosts and politeness towards them' },
        { name: 'fetchers', description: 'Bring your own fetcher: lease what is due, report' },
        { name: 'transfer', description: 'Import and export' },
        { name: 'settings', description: 'Settings and methods' },
        { name: 'health', description: 'For operators' },
      ],
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      security: [{}, { key: [] }],
    },
  }
}
