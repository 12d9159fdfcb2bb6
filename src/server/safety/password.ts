/** The password of the person whose service it is, and /api/password, which sets it. */

import { createHash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { OptionError } from '../../model/errors.js'
import type { Store } from '../../model/store.js'
import type { Json, Seconds, UnixSeconds } from '../../model/units.js'
import { ApiError } from '../errors.js'
import { Done, done, exactly, refusals } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { RequestLimit } from './request-limit.js'
import { hasTexts, StoredList } from './stored-list.js'

/** A password as it is kept: never itself. */
type KeptPassword = {
  /** Random, in base64. */
  readonly salt: string
  /** By scrypt, in base64. */
  readonly hash: string
  readonly madeAt: UnixSeconds
}

/** Where it is among the settings of a collection. */
const setting = 'api-password'
const isPassword = (kept: Json): kept is KeptPassword => hasTexts(kept, ['salt', 'hash'])

/**
 * 32 MiB and three passes, a tenth of a second: one of the settings that the
 * Password Storage Cheat Sheet of OWASP gives as equal in strength.
 */
const cost: ScryptOptions = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }
const hashBytes = 32
const fewestLetters = 10
const mostLetters = 200

/** Tries from one address: five at once, then one in twelve seconds. */
const triesOfOne = { perSecond: 1 / 12, atOnce: 5 }
/** And of all addresses together, which may be many of one person's. */
const triesOfAll = { perSecond: 1, atOnce: 30 }

/** One password for a collection, for people; programs have keys. */
export class Password {
  readonly #kept: StoredList<KeptPassword>
  readonly #ofOne = new RequestLimit(triesOfOne)
  readonly #ofAll = new RequestLimit(triesOfAll)
  /** One is worked out at a time: many at once would take the memory of all. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: { readonly store: Store; readonly collection: string }) {
    this.#kept = new StoredList(parts, { name: setting, isOne: isPassword })
  }

  async isSet(now: UnixSeconds): Promise<boolean> {
    return (await this.#kept.newest(now)).length > 0
  }

  /** Sets it, in place of one that was; whoever signed in with that is signed out. */
  async set(password: string, madeAt: UnixSeconds): Promise<void> {
    const letters = [...password].length
    if (letters < fewestLetters || letters > mostLetters)
      throw new OptionError(
        'bad-password',
        `a password has ${fewestLetters} letters at least and ${mostLetters} at most`,
      )
    const salt = randomBytes(16)
    const hash = await this.#hash(password, salt)
    const kept = { salt: salt.toString('base64'), hash: hash.toString('base64'), madeAt }
    await this.#kept.change(() => [kept])
  }

  /** Whether there was one. */
  async remove(): Promise<boolean> {
    return (await this.#kept.change(() => [])).length > 0
  }

  /** How long to wait before another try from this address; 0 where it may be made now. */
  wait(address: string, now: UnixSeconds): Seconds {
    const own = this.#ofOne.wait(address, now)
    return own > 0 ? own : this.#ofAll.wait('all', now)
  }

  /** What sessions are opened under where this is the password; null where it is not. */
  async signed(password: string): Promise<string | null> {
    const [kept] = await this.#kept.all()
    if (kept === undefined) return null
    const hash = await this.#hash(password, Buffer.from(kept.salt, 'base64'))
    return timingSafeEqual(hash, Buffer.from(kept.hash, 'base64')) ? holderOf(kept) : null
  }

  /** Whether sessions under this name still count. */
  async has(holder: string, now: UnixSeconds): Promise<boolean> {
    return (await this.#kept.newest(now)).some((kept) => holderOf(kept) === holder)
  }

  #hash(password: string, salt: Buffer): Promise<Buffer> {
    const text = password.normalize('NFC')
    const made = this.#last.then(
      () =>
        new Promise<Buffer>((resolve, reject) =>
          scrypt(text, salt, hashBytes, cost, (error, hash) =>
            error === null ? resolve(hash) : reject(error),
          ),
        ),
    )
    this.#last = made.catch(() => undefined)
    return made
  }
}

/** Another with each password that is set: sessions end with the password they were opened with. */
function holderOf({ salt, hash }: KeptPassword): string {
  return createHash('sha256').update(`${salt} ${hash}`).digest('hex')
}

export const PasswordText = Type.String({ minLength: 1, maxLength: mostLetters })

/** Where a password was given too often from an address, or by all: how long to wait. */
export function refuseTries(
  wait: Seconds,
  reply: { header(name: string, value: string): unknown },
): void {
  if (wait === 0) return
  reply.header('retry-after', String(Math.ceil(wait)))
  throw new ApiError(429, 'too-many-tries', 'too many tries; wait as Retry-After says')
}

export function wrongPassword(): ApiError {
  return new ApiError(401, 'wrong-password', 'this is not the password')
}

/** The password is set by whoever may use the service; one that is there is asked for first. */
export function passwordRoutes(
  app: App,
  { clock, password }: Pick<ServiceParts, 'clock'> & { readonly password: Password },
): void {
  app.put(
    '/api/password',
    {
      schema: {
        operationId: 'setPassword',
        summary: 'Set the password by which a person signs in; other sessions by it end',
        tags: ['settings'],
        body: exactly({
          password: PasswordText,
          current: Type.Optional({ ...PasswordText, description: 'the one that is set already' }),
        }),
        response: { 200: Done, ...refusals },
      },
    },
    async ({ body, ip }, reply) => {
      const now = clock.now()
      if (await password.isSet(now)) {
        refuseTries(password.wait(ip, now), reply)
        if ((await password.signed(body.current ?? '')) === null)
          throw new ApiError(403, 'wrong-password', 'the current password is another')
      }
      await password.set(body.password, now)
      return done
    },
  )
}
