import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import { Compile } from 'typebox/compile'
import { expect } from 'vitest'
import type { App } from '../../src/server/service-parts.js'

interface Described {
  readonly paths: Record<
    string,
    Record<
      string,
      { readonly responses: Record<string, { content?: Record<string, { schema?: object }> }> }
    >
  >
}

/**
 * Holds every answer in JSON against the schema of its route, in which objects
 * are closed: what is sent and not described fails, and so does the reverse.
 */
export function checkAnswers(app: App): void {
  const { paths } = app.swagger() as unknown as Described
  const routes = Object.entries(paths).map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    // A path without parameters goes before one with them.
    fixed: !path.includes('{'),
    methods,
  }))
  routes.sort((a, b) => Number(b.fixed) - Number(a.fixed))
  const compiled = new Map<object, ReturnType<typeof Compile>>()
  const inject: (asked: InjectOptions) => Promise<Response> = app.inject.bind(app)
  const checked = async (asked: InjectOptions) => {
    const answer = await inject(asked)
    const { method = 'GET', url } = asked
    const type = String(answer.headers['content-type'])
    const path = String(url).split('?')[0]!
    const route = routes.find(({ pattern }) => pattern.test(path))
    const responses = route?.methods[method.toLowerCase()]?.responses
    const status = String(answer.statusCode)
    const response = responses?.[status] ?? responses?.[`${status[0]}XX`]
    const schema = response?.content?.['application/json']?.schema
    if (schema === undefined || !type.startsWith('application/json')) return answer
    const check = compiled.get(schema) ?? Compile(closed(schema) as never)
    compiled.set(schema, check)
    const body: unknown = JSON.parse(answer.body)
    if (!check.Check(body))
      expect.fail(
        `${method} ${path} answers what its schema does not say: ${JSON.stringify(check.Errors(body))} in ${answer.body.slice(0, 500)}`,
      )
    return answer
  }
  app.inject = checked as unknown as typeof app.inject
}

/** A schema in which objects have the properties that are named and no others. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.entries(schema).map(([name, part]) => [
    name,
    name === 'enum' || name === 'const' ? part : closed(part),
  ])
  const all = Object.fromEntries(parts)
  return 'properties' in all && all.type === 'object'
    ? { additionalProperties: false, ...all }
    : all
}
