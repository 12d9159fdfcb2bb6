/** What the service, or the way to it, gave instead of an answer. */
export class ApiError extends Error {
  /** 0 where no answer came. */
  readonly status: number
  readonly code: string

  constructor({ status, code, message }: { status: number; code: string; message: string }) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
  }

  /** The service has no such thing: an older one, or one without this part. */
  get absent(): boolean {
    return this.status === 404 || this.status === 501
  }
}

/** Any thrown thing as one. */
export function apiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new ApiError({ status: 0, code: 'unexpected', message })
}
