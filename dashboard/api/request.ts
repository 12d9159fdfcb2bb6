import { ApiError } from './api-error.js'

/** Where the API is: beside the dashboard, wherever that is mounted. */
export const apiBase: string = new URL('./api/', document.baseURI).href

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Left out where undefined or empty. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is; `contentType` names it. */
  readonly raw?: { readonly content: BodyInit; readonly contentType: string }
  readonly signal?: AbortSignal | undefined
}

/** One call of the API. Every failure is an ApiError. */
export async function request<T>(path: string, call: Call = {}): Promise<T> {
  const response = await answerOf(path, call)
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as T
  throw await errorIn(response)
}

/** The same where the answer is text. */
export async function requestText(path: string, call: Call = {}): Promise<string> {
  const response = await answerOf(path, call)
  if (response.ok) return response.text()
  throw await errorIn(response)
}

async function answerOf(path: string, call: Call): Promise<Response> {
  const { method = 'GET', body, raw, signal } = call
  const headers: Record<string, string> = {}
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (raw !== undefined) headers['content-type'] = raw.contentType
  try {
    return await fetch(addressOf(path, call), {
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

export function addressOf(path: string, { query = {} }: Pick<Call, 'query'>): string {
  const url = new URL(path, apiBase)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value))
  return url.href
}

async function errorIn(response: Response): Promise<ApiError> {
  const { status } = response
  try {
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    return new ApiError({ status, code: error.code, message: error.message })
  } catch {
    const message = `The service answered ${status} without a reason.`
    return new ApiError({ status, code: 'no-reason', message })
  }
}
