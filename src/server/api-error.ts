import { EnvironmentError, RevisitError } from '../model/index.js'

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

/** The one form in which every error is answered. */
export interface ErrorForm {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details?: readonly { readonly path: string; readonly message: string }[]
  }
}

/** What is told of an error, whoever threw it. What we did not foresee is not told in detail. */
export function errorAnswer(error: unknown): { status: number; body: ErrorForm } {
  if (error instanceof ApiError) return answer(error.status, error)
  if (error instanceof EnvironmentError) return answer(503, error)
  if (error instanceof RevisitError) return answer(400, error)
  const { statusCode, code, message, validation } = error as Partial<FrameworkError>
  if (validation !== undefined) return invalid(validation)
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
  validation: readonly { readonly instancePath?: string; readonly message?: string }[]
}

function answer(status: number, { code, message }: { code: string; message: string }) {
  return { status, body: { error: { code, message } } }
}

function invalid(validation: FrameworkError['validation']) {
  const details = [...validation].slice(0, 10).map(({ instancePath, message }) => ({
    path: instancePath ?? '',
    message: message ?? 'is not as it should be',
  }))
  const first = details[0]
  const where = first === undefined || first.path === '' ? 'the request' : first.path
  const message = `${where} ${first?.message ?? 'is not as it should be'}; see /openapi.json`
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
