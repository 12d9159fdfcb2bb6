import type { Answers } from '../../src/server/answers.js'
import type { ErrorAnswer } from '../../src/server/schema.js'
import { ApiError } from './api-error.js'

/** Where the API is: beside the dashboard, wherever that is mounted. */
const apiBase: string = new URL('./api/', document.baseURI).href

/** A route of the API, such as `GET pages/:id`. */
export type Route = keyof Answers

export interface Call {
  /** What stands in the path for `:name`. */
  readonly params?: Readonly<Record<string, string>>
  /** Left out where undefined or empty. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is; `contentType` names it. */
  readonly raw?: { readonly content: BodyInit; readonly contentType: string }
  readonly signal?: AbortSignal | undefined
}

/** One call of the API; its answer is what the service's schema says. Every failure is an ApiError. */
export async function request<R extends Route>(route: R, call: Call = {}): Promise<Answers[R]> {
  const response = await answerOf(route, call)
  if (response.ok) return response.json()
  throw await errorIn(response)
}

async function answerOf(route: Route, call: Call): Promise<Response> {
  const { body, raw, params = {}, signal } = call
  const [method, path] = route.split(' ') as [string, string]
  const headers: Record<string, string> = {}
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (raw !== undefined) headers['content-type'] = raw.contentType
  const named = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!))
  try {
    return await fetch(addressOf(named, call), {
      method,
      headers,
      body: raw?.content ?? (body === undefined ? null : JSON.stringify(body)),
      signal: signal ?? null,
    })
  } catch (thrown) {
    if (signal?.aborted) throw new ApiError({ status: 0, code: 'aborted', message: 'Given up.' })
    const message = `The service does not answer. Is it running? (${(thrown as Error).message})`
    throw new ApiError({ status: 0, code: 'unreachable', message })
  }
}

export function addressOf(path: string, { query = {} }: Pick<Call, 'query'> = {}): string {
  const url = new URL(path, apiBase)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value))
  return url.href
}

async function errorIn(response: Response): Promise<ApiError> {
  const { status } = response
  try {
    const { error } = (await response.json()) as ErrorAnswer
    // Where the API is described is of no use in a form.
    const message = error.message.replace(/; see \/openapi\.json$/, '')
    return new ApiError({ status, code: error.code, message })
  } catch {
    const message = `The service answered ${status} without a reason.`
    return new ApiError({ status, code: 'no-reason', message })
  }
}
