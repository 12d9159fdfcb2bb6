import { EnvironmentError, RevisitError } from '../model/index.js'
import { type Detail, type Invalid, invalidDetails, invalidText } from './invalid-request.js'

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

/** The one form in which every error is answered. */
export interface ErrorForm {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details?: readonly Detail[]
  }
}

/** What a route takes: a schema for each part of a request. */
export type Taken = Readonly<
  Partial<Record<'body' | 'querystring' | 'params' | 'headers', unknown>>
>

/** What is told of an error, whoever threw it. What we did not foresee is not told in detail. */
export function errorAnswer(
  error: unknown,
  taken: Taken = {},
): { status: number; body: ErrorForm } {
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
    message: 'something went wrong here; the log of the server tells more',
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
