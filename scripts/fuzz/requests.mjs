import { noise } from './hostile-answers.mjs'

/** Requests made from an OpenAPI document by a seeded random source: some as it says, some not. */

const wild = [
  ...[
    '',
    '../../etc/passwd',
    '%00',
    "' or 1=1 --",
    '<script>',
    '\u0000',
    '\ud800',
    'constructor',
    '__proto__',
  ],
  ...[-1, 0, 1, 1e308, -1e308, 2 ** 53, 0.1, null, true, [], {}, [[[[]]]], 'x'.repeat(5000), 'NaN'],
]

export class Requests {
  #random
  #routes
  #known

  /** `known` has names of parameters with values that lead to something that is there. */
  constructor(document, { random, known, without = [] }) {
    this.#random = random
    this.#known = known
    this.#routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => !without.includes(operation.operationId))
        .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    )
  }

  get routes() {
    return this.#routes.length
  }

  /** The next request: method, path, headers, body. */
  next() {
    const { path, method, operation } = this.#one(this.#routes)
    const { parameters = [], requestBody } = operation
    const wildly = this.#random.below(3) === 0
    const value = (schema, name) =>
      wildly && this.#random.below(2) === 0 ? this.#wild() : this.#value(schema, name)
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
      const { schema = {} } = parameters.find((each) => each.name === name) ?? {}
      return encodeURIComponent(asText(value(schema, name)))
    })
    const query = parameters
      .filter((each) => each.in === 'query' && (each.required || this.#random.below(2) === 0))
      .map(({ name, schema }) => `${name}=${encodeURIComponent(asText(value(schema, name)))}`)
    if (wildly && this.#random.below(4) === 0) query.push('constructor=1', 'a[]=1')
    const types = Object.entries(requestBody?.content ?? {})
    const headers = this.#headers(wildly)
    const asked = {
      operation: operation.operationId,
      path: `${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    }
    const other =
      wildly && this.#random.below(10) === 0
        ? this.#one(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])
        : method
    if (types.length === 0) return { ...asked, method: other, headers }
    const [type, { schema = {} }] = this.#one(types)
    const body = this.#body(type, value(schema, ''))
    return { ...asked, method: other, headers: { 'content-type': type, ...headers }, body }
  }

  #body(type, made) {
    if (this.#random.below(20) === 0) return noise(this.#random, this.#random.below(3000))
    if (type === 'application/json') return JSON.stringify(made) ?? ''
    const lines = Array.from({ length: this.#random.below(50) }, () => this.#line(type))
    return `${type === 'text/csv' ? 'url,at,changed\n' : ''}${lines.join('\n')}`
  }

  #line(type) {
    const url = this.#one(this.#known.url)
    const at = this.#one([1.6e9, 1.7e9, -1, 1e300, 'x'])
    if (this.#random.below(5) === 0) return asText(this.#wild())
    if (type === 'text/csv') return `${url},${at},${this.#one(['changed', 'unchanged', '1', 'x'])}`
    if (type === 'text/uri-list') return url
    return JSON.stringify({ url, at, changed: this.#random.below(2) === 0, settings: this.#wild() })
  }

  #headers(wildly) {
    if (!wildly || this.#random.below(3) > 0) return {}
    return this.#one([
      { 'last-event-id': this.#one(['-1', 'x', '1e99', '9'.repeat(300)]) },
      { 'if-none-match': '"'.repeat(500) },
      { 'if-modified-since': 'never' },
      { cookie: `revisit-session=${'x'.repeat(this.#random.below(5000))}` },
      { authorization: `Bearer ${'y'.repeat(this.#random.below(5000))}` },
      { origin: 'https://evil.example' },
      { 'content-type': this.#one(['text/plain', 'application/json; charset=utf-7', '', 'x/y']) },
      { accept: 'image/*', 'accept-encoding': '*;q=0', range: 'bytes=0-1,5-' },
      { 'content-encoding': 'gzip' },
      { 'x-forwarded-proto': 'https,'.repeat(100), 'x-forwarded-for': '\u00e9'.repeat(3) },
    ])
  }

  #value(schema, name) {
    const there = this.#known[name]
    if (there !== undefined && this.#random.below(4) > 0) return this.#one(there)
    if (schema.const !== undefined) return schema.const
    if (schema.enum !== undefined) return this.#one(schema.enum)
    if (schema.anyOf !== undefined) return this.#value(this.#one(schema.anyOf), name)
    const { minimum = schema.exclusiveMinimum ?? 0, maximum = schema.exclusiveMaximum ?? 1e6 } =
      schema
    const within = minimum + this.#random.uniform() * Math.min(maximum - minimum, 1e6)
    switch (schema.type) {
      case 'null':
        return null
      case 'boolean':
        return this.#random.below(2) === 0
      case 'integer':
        return Math.floor(within)
      case 'number':
        return within
      case 'string':
        return this.#text(schema)
      case 'array':
        return Array.from({ length: (schema.minItems ?? 0) + this.#random.below(4) }, () =>
          this.#value(schema.items ?? {}, name),
        )
      case 'object':
        return this.#object(schema)
      default:
        return this.#wild()
    }
  }

  #object({ properties = {}, required = [], patternProperties = {} }) {
    const named = Object.entries(properties)
      .filter(([name]) => required.includes(name) || this.#random.below(2) === 0)
      .map(([name, each]) => [name, this.#value(each, name)])
    const others = Object.values(patternProperties).map((each, i) => [
      `n${i}`,
      this.#value(each, ''),
    ])
    return Object.fromEntries([...named, ...others])
  }

  #text({ pattern, minLength = 0, maxLength = 40 }) {
    if (pattern?.includes('0-9a-f')) return 'abcdef0123456789'.repeat(4)
    if (pattern !== undefined) return String(1 + this.#random.below(50))
    const length = minLength + this.#random.below(Math.min(maxLength, 40) - minLength + 1)
    return Array.from({ length }, () =>
      String.fromCodePoint(32 + this.#random.below(this.#random.below(9) === 0 ? 0xd000 : 95)),
    ).join('')
  }

  #wild() {
    return this.#one(wild)
  }

  #one(list) {
    return list[this.#random.below(list.length)]
  }
}

/** Halves of characters cannot be sent in an address. */
function asText(value) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.toWellFormed?.() ?? text.replace(/[\ud800-\udfff]/g, '')
}
