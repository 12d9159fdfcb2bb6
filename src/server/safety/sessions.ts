/** Sessions of browsers, and /api/session, which opens and ends them. */

import { createHash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Store } from '../../model/store.js'
import type { Json, Seconds, UnixSeconds } from '../../model/units.js'
import { ApiError } from '../errors.js'
import { Done, done, exactly, refusals } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import type { Keys } from './keys.js'
import { type Password, PasswordText, refuseTries, wrongPassword } from './password.js'
import { hasTexts, StoredList } from './stored-list.js'

/** A browser's page cannot send a header with everything it asks for: a session is named by this cookie. */
const sessionCookie = 'revisit-session'

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
    'this server asks who you are: a person signs in with the password (revisit password set), a program sends a key (revisit key add NAME) as Authorization: Bearer KEY',
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
  return new ApiError(401, 'no-session', 'this session has ended; sign in again')
}

/** A session as it is kept: neither its id nor the key it was opened with. */
type KeptSession = {
  /** SHA-256 of the id, in hex. */
  readonly digest: string
  /** Digest of the key, or of the kept password: a session ends with it. */
  readonly key: string
  readonly until: UnixSeconds
}

/** How long a browser stays logged in. */
const sessionSeconds: Seconds = 30 * 86_400
/** Where they are among the settings of a collection. */
const setting = 'api-sessions'
/** Open at once; beyond it the oldest end. */
const most = 100
const isSession = (kept: Json): kept is KeptSession => hasTexts(kept, ['digest', 'key'])

/**
 * Sessions of browsers, each named by a random id that is of no use once it
 * has ended, unlike the key it was opened with.
 */
export class Sessions {
  readonly #sessions: StoredList<KeptSession>

  constructor(parts: { readonly store: Store; readonly collection: string }) {
    this.#sessions = new StoredList(parts, { name: setting, isOne: isSession })
  }

  /** The id of a new session, for whoever brought what this is the digest of. */
  async open(holder: string, now: UnixSeconds): Promise<string> {
    const id = randomBytes(32).toString('base64url')
    const opened = { digest: digestOf(id), key: holder, until: now + sessionSeconds }
    await this.#change(now, (sessions) => [...sessions, opened].slice(-most))
    return id
  }

  async end(id: string, now: UnixSeconds): Promise<void> {
    const digest = digestOf(id)
    if (!(await this.#sessions.all()).some((each) => each.digest === digest)) return
    await this.#change(now, (sessions) => sessions.filter((each) => each.digest !== digest))
  }

  /** The digest of what a session was opened with; undefined where there is none such. */
  async holderOf(id: string, now: UnixSeconds): Promise<string | undefined> {
    const digest = digestOf(id)
    const sessions = await this.#sessions.newest(now)
    return sessions.find((each) => each.digest === digest && now < each.until)?.key
  }

  /** Those that have run out go at the next change. */
  async #change(
    now: UnixSeconds,
    changed: (sessions: readonly KeptSession[]) => readonly KeptSession[],
  ): Promise<void> {
    await this.#sessions.change((all) => changed(all.filter(({ until }) => now < until)))
  }
}

/** An id has 256 random bits: to find its digest by the time a comparison takes helps nobody. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export const SessionAnswer = Type.Object({
  password: Type.Boolean({ description: 'whether one is set: else a key is asked for' }),
})

/** Not for scripts, not for other sites. */
const attributes = 'Path=/; HttpOnly; SameSite=Strict'
/** Earlier versions kept the key itself in a cookie: it is taken out of the browser. */
const formerCookie = `revisit-key=; ${attributes}; Max-Age=0`

/**
 * A page in a browser cannot send a header with a stream of events or a frame:
 * it gives its key or password once and is known by a session from then on.
 */
export function sessionRoutes(
  app: App,
  {
    clock,
    keys,
    sessions,
    password,
  }: Pick<ServiceParts, 'clock'> & {
    readonly keys: Keys
    readonly sessions: Sessions
    readonly password: Password
  },
): void {
  const tags = ['settings']

  app.get(
    '/api/session',
    {
      schema: {
        operationId: 'session',
        summary: 'How a person signs in here',
        tags,
        response: { 200: SessionAnswer, ...refusals },
      },
    },
    async () => ({ password: await password.isSet(clock.now()) }),
  )

  const response = { 200: Done, ...refusals }

  app.post(
    '/api/session',
    {
      schema: {
        operationId: 'openSession',
        summary:
          'Open a session for a page in a browser, by a key or the password: a cookie with a random id',
        tags,
        body: Type.Union([
          exactly({ key: Type.String({ pattern: '^[\\w-]{1,200}$' }) }),
          exactly({ password: PasswordText }),
        ]),
        response,
      },
    },
    async (request, reply) => {
      const { body } = request
      const now = clock.now()
      const id = await sessions.open(await holder(), now)
      async function holder(): Promise<string> {
        if ('key' in body) {
          if ((await keys.nameOf(body.key, now)) === undefined) throw wrongKey()
          return digestOf(body.key)
        }
        refuseTries(password.wait(request.ip, now), reply)
        const signed = await password.signed(body.password)
        if (signed === null) throw wrongPassword()
        return signed
      }
      const cookie = `${sessionCookie}=${id}; ${attributes}; Max-Age=${sessionSeconds}`
      reply.header('set-cookie', [secured(cookie, request), formerCookie])
      return done
    },
  )

  app.delete(
    '/api/session',
    {
      schema: { operationId: 'closeSession', summary: 'End this session', tags, response },
    },
    async (request, reply) => {
      const id = sessionOf(request)
      if (id !== undefined) await sessions.end(id, clock.now())
      const cookie = `${sessionCookie}=; ${attributes}; Max-Age=0`
      reply.header('set-cookie', [secured(cookie, request), formerCookie])
      return done
    },
  )
}

/**
 * Where the browser speaks TLS, the cookie goes over TLS alone. Only the proxy
 * before us knows: it says so, or the browser does by the origin of its page.
 */
function secured(cookie: string, { headers, protocol }: FastifyRequest): string {
  const [forwarded] = String(headers['x-forwarded-proto'] ?? '').split(',')
  const tls =
    protocol === 'https' ||
    forwarded!.trim().toLowerCase() === 'https' ||
    headers.origin?.startsWith('https://') === true
  return tls ? `${cookie}; Secure` : cookie
}
