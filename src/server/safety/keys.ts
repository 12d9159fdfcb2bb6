import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { OptionError } from '../../model/errors.js'
import type { Store } from '../../model/store.js'
import type { Json, UnixSeconds } from '../../model/units.js'
import { hasTexts, StoredList } from './stored-list.js'

/** A key as it is kept: never the key itself. */
type KeptKey = {
  readonly name: string
  /** SHA-256, in hex. A key has 256 random bits: there is nothing to guess that a slow hash would slow. */
  readonly digest: string
  readonly madeAt: UnixSeconds
}

/** Where the keys are among the settings of a collection. */
const setting = 'api-keys'
const isKey = (kept: Json): kept is KeptKey => hasTexts(kept, ['name', 'digest'])

/** The keys of a collection: made, listed, taken away, and checked. */
export class Keys {
  readonly #keys: StoredList<KeptKey>

  constructor(parts: { readonly store: Store; readonly collection: string }) {
    this.#keys = new StoredList(parts, { name: setting, isOne: isKey })
  }

  list(): Promise<readonly KeptKey[]> {
    return this.#keys.all()
  }

  /** Makes a key and gives it: the only time it is seen. */
  async add(name: string, madeAt: UnixSeconds): Promise<string> {
    if (!/^[\w.-]{1,64}$/.test(name))
      throw new OptionError('bad-name', 'a key is named by letters, digits, ., _ and -')
    const key = `rv_${randomBytes(32).toString('base64url')}`
    await this.#keys.change((keys) => {
      if (keys.some((each) => each.name === name))
        throw new OptionError('key-exists', `there is a key ${name} already; remove it first`)
      return [...keys, { name, digest: digestOf(key).toString('hex'), madeAt }]
    })
    return key
  }

  /** Whether there was one. */
  async remove(name: string): Promise<boolean> {
    const before = await this.#keys.change((keys) => keys.filter((each) => each.name !== name))
    return before.some((each) => each.name === name)
  }

  /** The name of a key that is one of ours. Takes as long for any wrong key. */
  async nameOf(key: string, now: UnixSeconds): Promise<string | undefined> {
    const digest = digestOf(key)
    let found: string | undefined
    for (const each of await this.#keys.newest(now))
      if (timingSafeEqual(digest, Buffer.from(each.digest, 'hex'))) found = each.name
    return found
  }

  /** Whether there is a key of this digest, in hex. */
  async has(digest: string, now: UnixSeconds): Promise<boolean> {
    return (await this.#keys.newest(now)).some((each) => each.digest === digest)
  }
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
