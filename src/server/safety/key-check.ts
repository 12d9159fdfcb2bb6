import type { FastifyRequest } from 'fastify'
import { ApiError } from '../api-error.js'

/** A browser's page cannot send a header with everything it asks for: a session is named by this cookie. */
export const sessionCookie = 'revisit-session'

/** The key that a request brings in its header. */
export function keyOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

/** The id of the session that a request belongs to. */
export function sessionOf({ headers }: FastifyRequest): string | undefined {
  const cookies = (headers.cookie ?? '').split(';').map((each) => each.trim())
  const ours = cookies.find((each) => each.startsWith(`${sessionCookie}=`))
  return ours?.slice(sessionCookie.length + 1)
}

export function keyNeeded(): ApiError {
  return new ApiError(
    401,
    'key-needed',
    'this server asks for a key: make one with revisit key add NAME, and send it as Authorization: Bearer KEY',
  )
}

export function wrongKey(): ApiError {
  return new ApiError(
    401,
    'wrong-key',
    'this key is none of this server; make one with revisit key add NAME',
  )
}

export function noSession(): ApiError {
  return new ApiError(401, 'no-session', 'this session has ended; give the key again')
}
