/** Errors as answers: one form for all, and what is wrong with a request in words. */

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { EnvironmentError, RevisitError } from '../model/errors.js'
import type { ErrorAnswer } from './schema.js'

/** What a validator finds wrong, in the form that the framework hands on. */
interface Invalid {
  readonly keyword?: string
  /** Where in the schema, from `#`. */
  readonly schemaPath?: string
  /** Where in what was sent; empty for all of it. */
  readonly instancePath?: string
  readonly message?: string
  readonly params?: object
}

/** Of what the validator adds by keyword, what is used here. */
interface Params {
  readonly additionalProperties?: readonly string[]
  readonly allowedValues?: readonly unknown[]
}

/** One thing that is wrong: where in what was sent, and what would be right. */
interface Detail {
  readonly path: string
  readonly message: string
}

/** Named of one request at most. */
const most = 10

/** What is wrong with a request and what would be right, by the schema it was checked against. */
export function invalidDetails(found: readonly Invalid[], schema: unknown): Detail[] {
  // Of a property too many the validator also says that "schema is false", which helps nobody.
  const errors = found.filter(({ keyword }) => keyword !== 'boolean')
  return errors.flatMap((each) => detailsOf(each, schema)).slice(0, most)
}

/** The first of them in one sentence. */
export function invalidText(details: readonly Detail[]): string {
  const { path, message } = details[0] ?? { path: '', message: unclear }
  return `${path === '' ? 'the request' : path} ${message}`
}

const unclear = 'is not as it should be'

function detailsOf({ instancePath: path = '', ...found }: Invalid, schema: unknown): Detail[] {
  const { additionalProperties: unknown, allowedValues: words } = (found.params ?? {}) as Params
  if (unknown !== undefined) {
    const around = schemaAt(schema, found.schemaPath)
    return unknown.map((name) => ({ path: `${path}/${name}`, message: placeOf(name, around) }))
  }
  const message = words === undefined ? found.message : `must be one of ${words.join(', ')}`
  return [{ path, message: message ?? unclear }]
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Where a name belongs that is not known where it was sent: deeper, or nowhere. */
function placeOf(name: string, { properties = {} }: Schema): string {
  const deeper = Object.entries(properties).find(([, each]) =>
    Object.hasOwn(each.properties ?? {}, name),
  )
  if (deeper !== undefined) return `belongs in ${deeper[0]}`
  const names = Object.keys(properties)
  return names.length === 0 ? 'is not taken' : `is not known; there are ${names.join(', ')}`
}

function schemaAt(schema: unknown, path = '#'): Schema {
  const steps = path.split('/').slice(1)
  const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], schema)
  return (found ?? {}) as Schema
}

/** An error that is an answer: its status, a code to catch, a message for a person. */
export class ApiError extends RevisitError {
  readonly status: number

  constructor(status: number, code: string, message: string) {
    super(code, message)
    this.status = status
  }
}

export function noPage(id: string): ApiError {
  return new ApiError(404, 'no-page', `there is no page ${id}; see GET /api/pages`)
}

export function wrongType(types: readonly string[]): ApiError {
  const message = `send the body with a content-type of ${types.join(', ')}`
  return new ApiError(415, 'bad-content-type', message)
}

/** What a route takes: a schema for each part of a request. */
type Taken = Readonly<Partial<Record<'body' | 'querystring' | 'params' | 'headers', unknown>>>

/** The answer to an error, whoever threw it, in the one form of all. What we did not foresee is given without detail. */
export function errorAnswer(
  error: unknown,
  taken: Taken = {},
): { status: number; body: ErrorAnswer } {
  if (error instanceof ApiError) return answer(error.status, error)
  if (error instanceof EnvironmentError) return answer(503, error)
  if (error instanceof RevisitError) return answer(400, error)
  const { statusCode, code, message, ...found } = error as Partial<FrameworkError>
  if (found.validation !== undefined)
    return invalid(found.validation, taken[found.validationContext!])
  if (statusCode === 415) return answer(415, wrongType(typesOf(taken)))
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return answer(statusCode, { code: codeWord(statusCode, code), message: message ?? '' })
  return answer(500, {
    code: 'internal',
    message: 'something went wrong here; see the log of the server',
  })
}

interface FrameworkError {
  statusCode: number
  code: string
  message: string
  validation: readonly Invalid[]
  validationContext: keyof Taken
}

/** JSON, unless the route names others. */
function typesOf({ body }: Taken): readonly string[] {
  const { content = { 'application/json': {} } } = (body ?? {}) as { content?: object }
  return Object.keys(content)
}

function answer(status: number, { code, message }: { code: string; message: string }) {
  return { status, body: { error: { code, message } } }
}

function invalid(found: readonly Invalid[], schema: unknown) {
  const details = invalidDetails(found, schema)
  const message = `${invalidText(details)}; see /openapi.json`
  return { status: 400, body: { error: { code: 'bad-request', message, details } } }
}

const words: Readonly<Record<number, string>> = {
  400: 'bad-request',
  404: 'not-found',
  408: 'too-slow',
  413: 'too-large',
  414: 'too-large',
  415: 'bad-content-type',
  431: 'too-large',
}

function codeWord(status: number, code: string | undefined): string {
  return words[status] ?? code ?? 'bad-request'
}

/** What Node's reader of HTTP calls a fault, and what is answered. */
const faults: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: 'the headers of this request are too long; 16 KiB are taken',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    message: 'this request did not come in time; send it at once',
  },
}
const unreadable = { status: 400, message: 'this is no request of HTTP/1.1' }

/**
 * Answers what could not be read as a request, and so never reaches a route, in
 * the form of all other errors.
 */
export function refuseUnread(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, message } = faults[error.code ?? ''] ?? unreadable
  const body = JSON.stringify(errorAnswer({ statusCode: status, message }).body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}
