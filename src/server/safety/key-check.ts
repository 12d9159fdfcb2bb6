import type { FastifyRequest } from 'fastify'
import { ApiError } from '../api-error.js'

/** A browser's page cannot send a header with everything it asks for: it may keep the key in this cookie. */
export const keyCookie = 'revisit-key'

/** The key that a request brings, in its header or its cookie. */
export function keyOf({ headers }: FastifyRequest): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (bearer !== undefined) return bearer
  const cookies = (headers.cookie ?? '').split(';').map((each) => each.trim())
  const ours = cookies.find((each) => each.startsWith(`${keyCookie}=`))
  return ours?.slice(keyCookie.length + 1)
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
