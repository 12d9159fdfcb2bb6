import { createHash, randomBytes } from 'node:crypto'
import {
  changeSetting,
  type Json,
  type Seconds,
  type Store,
  type UnixSeconds,
} from '../../model/index.js'

/** A session as it is kept: neither its id nor the key it was opened with. */
interface KeptSession {
  /** SHA-256 of the id, in hex. */
  readonly digest: string
  /** SHA-256 of the key: a session ends with its key. */
  readonly key: string
  readonly until: UnixSeconds
}

/** How long a browser stays logged in. */
export const sessionSeconds: Seconds = 30 * 86_400
/** Where they are among the settings of a collection. */
const setting = 'api-sessions'
/** Open at once; beyond it the oldest end. */
const most = 100
/** How long the store is not asked again for what other processes opened or ended. */
const remembered = 1

/**
 * Sessions of browsers, each named by a random id that is of no use once it
 * has ended, unlike the key it was opened with. Kept in the store: they outlast a
 * restart, and hold for all processes on it.
 */
export class Sessions {
  readonly #store: Store
  readonly #collection: string
  #known: { readonly sessions: readonly KeptSession[]; readonly at: UnixSeconds } | undefined

  constructor(parts: { readonly store: Store; readonly collection: string }) {
    this.#store = parts.store
    this.#collection = parts.collection
  }

  /** The id of a new session, for the one who brought this key. */
  async open(key: string, now: UnixSeconds): Promise<string> {
    const id = randomBytes(32).toString('base64url')
    const opened = { digest: digestOf(id), key: digestOf(key), until: now + sessionSeconds }
    await this.#change(now, (sessions) => [...sessions, opened].slice(-most))
    return id
  }

  async end(id: string, now: UnixSeconds): Promise<void> {
    const digest = digestOf(id)
    if (!(await this.#list()).some((each) => each.digest === digest)) return
    await this.#change(now, (sessions) => sessions.filter((each) => each.digest !== digest))
  }

  /** The digest of the key that a session was opened with; undefined where there is none such. */
  async keyOf(id: string, now: UnixSeconds): Promise<string | undefined> {
    if (this.#known === undefined || Math.abs(now - this.#known.at) >= remembered)
      this.#known = { sessions: await this.#list(), at: now }
    const digest = digestOf(id)
    return this.#known.sessions.find((each) => each.digest === digest && now < each.until)?.key
  }

  async #list(): Promise<readonly KeptSession[]> {
    return sessionsIn(await this.#store.getSetting(this.#collection, setting))
  }

  /** Two who open or end sessions at once, in whatever process, both have their way. */
  async #change(
    now: UnixSeconds,
    changed: (sessions: readonly KeptSession[]) => readonly KeptSession[],
  ): Promise<void> {
    const where = { collection: this.#collection, name: setting }
    await changeSetting(
      this.#store,
      where,
      (kept) => changed(sessionsIn(kept).filter(({ until }) => now < until)) as unknown as Json,
    )
    this.#known = undefined
  }
}

function sessionsIn(kept: Json | undefined): readonly KeptSession[] {
  return Array.isArray(kept) ? (kept as unknown as readonly KeptSession[]) : []
}

/** An id has 256 random bits: to find its digest by the time a comparison takes helps nobody. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
