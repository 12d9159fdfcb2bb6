import { lookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { LruMap } from '../model/lru-map.js'
import type { Seconds } from '../model/units.js'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** Finds the addresses of a name; rejects with an error that has a `code`, as node:dns does. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>

export interface NameResolverOptions {
  /** Name servers, such as `192.0.2.1` or `127.0.0.1:5353`; those of the system by default. */
  readonly servers?: readonly string[]
  /** The names that this machine knows by itself. */
  readonly hostsFile?: string
  /** Of one question to one server, doubled at the second try. */
  readonly time?: Seconds
  /** Questions under way at once; others wait. */
  readonly most?: number
  /** In seconds, from any moment on. */
  readonly now?: () => Seconds
}

/** However short or long a name server wants it remembered. */
const shortest: Seconds = 5
const longest: Seconds = 3600
/** A name without an address, or whose servers do not answer, is not asked for again sooner. */
const failedFor: Seconds = 30
/** Names kept; the oldest go. */
const mostKept = 10_000
/** Questions to the system, which has four threads for these and for files. */
const mostSystem = 1

interface Kept {
  readonly until: Seconds
  readonly found: Promise<readonly ResolvedAddress[]>
}

/**
 * Finds the addresses of names by c-ares, which waits for many name servers at
 * once. `dns.lookup` waits for each on one of the process's four threads: eight
 * names that never answer kept all others from being found. What the system
 * alone knows is still asked of it: names without a dot and those of `.local`,
 * one at a time. Remembered as long as the answer says.
 */
export class NameResolver {
  readonly #open: () => Resolver
  #resolver: Resolver
  readonly #hosts: HostsFile
  readonly #now: () => Seconds
  readonly #kept = new LruMap<Kept>({ most: mostKept })
  readonly #asked: Turns
  readonly #system = new Turns(mostSystem)

  constructor(options: NameResolverOptions = {}) {
    const { servers, time = 2, most = 128, now = () => performance.now() / 1000 } = options
    this.#open = () => {
      const resolver = new Resolver({ timeout: time * 1000, tries: 2 })
      if (servers !== undefined) resolver.setServers(servers)
      return resolver
    }
    this.#resolver = this.#open()
    this.#now = now
    this.#hosts = new HostsFile(options.hostsFile ?? systemHosts(), now)
    this.#asked = new Turns(most)
  }

  readonly resolve: Resolve = (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const before = this.#kept.get(name)
    if (before !== undefined && before.until > this.#now()) return before.found
    // While it is asked for, others who want it wait for the same answer.
    const found = this.#found(name)
    this.#kept.set(name, { until: Infinity, found })
    return found
  }

  async #found(name: string): Promise<readonly ResolvedAddress[]> {
    try {
      const { list, ttl } = await this.#ask(name)
      this.#kept.set(name, { until: this.#now() + within(ttl), found: Promise.resolve(list) })
      return list
    } catch (error) {
      const found = Promise.reject(error)
      found.catch(() => undefined)
      this.#kept.set(name, { until: this.#now() + failedFor, found })
      throw error
    }
  }

  async #ask(name: string): Promise<{ list: readonly ResolvedAddress[]; ttl: Seconds }> {
    const own = await this.#hosts.addresses(name)
    if (own.length > 0) return { list: own, ttl: shortest }
    if (isLoopbackName(name)) return { list: loopback, ttl: longest }
    if (!name.includes('.') || name.endsWith('.local'))
      return { list: await this.#system.during(() => systemLookup(name)), ttl: shortest }
    return this.#asked.during(() => this.#query(name))
  }

  async #query(name: string): Promise<{ list: readonly ResolvedAddress[]; ttl: Seconds }> {
    const options = { ttl: true } as const
    const [four, six] = await Promise.allSettled([
      this.#resolver.resolve4(name, options),
      this.#resolver.resolve6(name, options),
    ])
    const records = (all: typeof four, family: 4 | 6) =>
      all.status === 'fulfilled' ? all.value.map((each) => ({ ...each, family })) : []
    const found = [...records(four, 4), ...records(six, 6)]
    if (found.length === 0) {
      const error = notFound(name, [four, six])
      // A machine that has moved to another network has other name servers: they are read anew.
      if (error.code === 'EAI_AGAIN') this.#resolver = this.#open()
      throw error
    }
    const list = found.map(({ address, family }) => ({ address, family }))
    return { list, ttl: Math.min(...found.map(({ ttl }) => ttl)) }
  }
}

const loopback: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** RFC 6761, 6.3. */
function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}

function within(ttl: Seconds): Seconds {
  return Math.min(longest, Math.max(shortest, ttl))
}

/** No such name, or nobody who answers: both are faults of the name, not of its host. */
function notFound(
  name: string,
  all: readonly PromiseSettledResult<unknown>[],
): NodeJS.ErrnoException {
  const codes = all.map((each) =>
    each.status === 'rejected' ? (each.reason as NodeJS.ErrnoException).code : 'ENODATA',
  )
  const none = codes.every((code) => code === 'ENOTFOUND' || code === 'ENODATA')
  const [code] = codes.filter((each) => each !== 'ENODATA')
  return none
    ? Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' })
    : Object.assign(new Error(`the name servers did not answer for ${name} (${code})`), {
        code: 'EAI_AGAIN',
      })
}

function systemLookup(name: string): Promise<readonly ResolvedAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(name, { all: true, verbatim: true }, (error, found) => {
      if (error === null) resolve(found)
      else reject(error)
    })
  })
}

function systemHosts(): string {
  const { SystemRoot = 'C:\\Windows' } = process.env
  return process.platform === 'win32'
    ? `${SystemRoot}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts'
}

/** The names in a hosts file, read again after a while. */
class HostsFile {
  readonly #path: string
  readonly #now: () => Seconds
  #names: Promise<Map<string, ResolvedAddress[]>> = Promise.resolve(new Map())
  #until = -Infinity

  constructor(path: string, now: () => Seconds) {
    this.#path = path
    this.#now = now
  }

  async addresses(name: string): Promise<readonly ResolvedAddress[]> {
    if (this.#until <= this.#now()) {
      this.#until = this.#now() + shortest
      this.#names = readFile(this.#path, 'utf8').then(hostNames, () => new Map())
    }
    return (await this.#names).get(name) ?? []
  }
}

function hostNames(text: string): Map<string, ResolvedAddress[]> {
  const names = new Map<string, ResolvedAddress[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...all] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    if (family === 0) continue
    for (const each of all) {
      const name = each.toLowerCase()
      names.set(name, [...(names.get(name) ?? []), { address, family }])
    }
  }
  return names
}

/** Lets so many work at once; the others come in turn. */
class Turns {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #under = 0

  constructor(most: number) {
    this.#most = most
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#under >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#under++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#under--
      else next()
    }
  }
}
