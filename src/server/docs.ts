/** The description of the API, made from the schemas of its routes: /openapi.json and /docs. */

import { createHash } from 'node:crypto'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { Type } from 'typebox'
import { escapeMarkup } from '../formats/printable-text.js'
import { refusals, textOf } from './schema.js'
import type { App, ServiceParts } from './service-parts.js'

/** The parts of an OpenAPI description that the page shows. */
interface Described {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
    readonly schema?: object
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses?: Readonly<
    Record<string, { readonly description?: string; readonly content?: Content }>
  >
}

type Content = Readonly<Record<string, { readonly schema?: object }>>

const docsStyle = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
details { border: 1px solid #8886; border-radius: .4rem; margin: .4rem 0; padding: .4rem .8rem }
summary { cursor: pointer }
code, pre { font: .875rem/1.4 ui-monospace, monospace }
pre { overflow: auto; background: #8881; padding: .6rem; border-radius: .3rem }
table { border-collapse: collapse } td, th { text-align: left; padding: .15rem .8rem .15rem 0; vertical-align: top }
.method { display: inline-block; min-width: 4.5rem; font-weight: 600 }
`

/** The API as one page, made here: no script, nothing from elsewhere. */
function docsPage(described: Described): string {
  const { title, version, description = '' } = described.info
  const sections = (described.tags ?? []).map((tag) => section(tag, described)).join('')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeMarkup(title)} API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${docsStyle}</style></head>
<body><main><h1>${escapeMarkup(title)} API <small>${escapeMarkup(version)}</small></h1>
<p>${escapeMarkup(description)}</p><p><a href="/openapi.json">openapi.json</a></p>${sections}</main></body></html>
`
}

function section(tag: { name: string; description?: string }, { paths }: Described): string {
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags?.includes(tag.name))
      .map(([method, operation]) => operationPart({ path, method, operation })),
  )
  return `<section><h2>${escapeMarkup(tag.name)}</h2><p>${escapeMarkup(tag.description ?? '')}</p>${found.join('')}</section>`
}

function operationPart({
  path,
  method,
  operation,
}: {
  path: string
  method: string
  operation: Operation
}): string {
  const { summary = '', parameters = [], requestBody, responses = {} } = operation
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) =>
    schemaPart(`Body, ${type}`, schema),
  )
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content = {} }]) =>
      Object.entries(content)
        .map(([type, { schema }]) => schemaPart(`${status}, ${type}`, schema))
        .join(''),
    )
  return `<details><summary><span class="method">${method.toUpperCase()}</span> <code>${escapeMarkup(path)}</code> ${escapeMarkup(summary)}</summary>
${parameterTable(parameters)}${bodies.join('')}${answers.join('')}</details>`
}

function parameterTable(parameters: NonNullable<Operation['parameters']>): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    ({ name, in: where, required = false, description = '', schema = {} }) =>
      `<tr><td><code>${escapeMarkup(name)}</code>${required ? ' *' : ''}</td><td>${escapeMarkup(where)}</td><td><code>${escapeMarkup(JSON.stringify(schema))}</code> ${escapeMarkup(description)}</td></tr>`,
  )
  return `<table><tr><th>name</th><th>in</th><th>what</th></tr>${rows.join('')}</table>`
}

function schemaPart(title: string, schema: object | undefined): string {
  if (schema === undefined) return ''
  return `<p>${escapeMarkup(title)}</p><pre>${escapeMarkup(JSON.stringify(schema, null, 2))}</pre>`
}

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
        { name: 'changes', description: 'What changed, as a person goes through it' },
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
      // The framework's type has every version of OpenAPI; ours is made of the schemas of our routes.
      return docsPage(app.swagger() as unknown as Described)
    },
  )
}
