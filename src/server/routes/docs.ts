import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { App } from '../app.js'
import { docsPage, docsStyle } from '../docs/docs-page.js'
import { refusals, textOf } from '../schema/words.js'

const styleDigest = createHash('sha256').update(docsStyle).digest('base64')

/** The description of the API for programs and for people. */
export function docsRoutes(app: App): void {
  const tags = ['settings']

  app.get(
    '/openapi.json',
    {
      schema: {
        operationId: 'openApi',
        summary: 'This description',
        tags,
        response: { 200: Type.Unsafe<object>({ type: 'object' }), ...refusals },
      },
    },
    async () => app.swagger(),
  )

  app.get(
    '/docs',
    {
      schema: {
        operationId: 'docs',
        summary: 'This description as a page',
        tags,
        response: { 200: textOf('text/html'), ...refusals },
      },
    },
    async (_, reply) => {
      reply.type('text/html; charset=utf-8')
      reply.header(
        'content-security-policy',
        `default-src 'none'; style-src 'sha256-${styleDigest}'; frame-ancestors 'none'; base-uri 'none'`,
      )
      return docsPage(app.swagger() as never)
    },
  )
}
