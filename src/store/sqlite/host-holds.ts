import type { HostHold, HostRecord, LeaseTerms } from '../../model/index.js'
import { checkTerms } from '../checked-request.js'
import type { Database } from './database.js'
import { type Hosts, hostRecord } from './hosts.js'
import type { Leases } from './leases.js'
import type { Names } from './names.js'
import { writtenHost } from './written-visit.js'

/** What one process asks for when it wants a host. */
export type HoldRequest = LeaseTerms & { readonly host: string }

/**
 * Hosts that are held for themselves. Each is kept among the leases, as that of
 * a page which cannot be (the host's number below zero): so whatever counts or
 * ends the leases of a host or of a worker counts and ends its hold.
 */
export class HostHolds {
  readonly #names: Names
  readonly #hosts: Hosts
  readonly #leases: Leases
  readonly #taken
  readonly #take
  readonly #release

  constructor(parts: {
    readonly db: Database
    readonly names: Names
    readonly hosts: Hosts
    readonly leases: Leases
  }) {
    const { db } = parts
    this.#names = parts.names
    this.#hosts = parts.hosts
    this.#leases = parts.leases
    this.#taken = db.statement((q, slot) =>
      q
        .selectFrom('leases')
        .select('page')
        .where('host', '=', slot('host'))
        .where('expires', '>', slot('now'))
        .where((eb) => eb.or([eb('worker', '!=', slot('worker')), eb('page', '<', 0)])),
    )
    this.#take = db.statement((q, slot) =>
      q.replaceInto('leases').values({
        page: slot('page'),
        collection: -1,
        host: slot('host'),
        token: slot('token'),
        expires: slot('expires'),
        worker: slot('worker'),
      }),
    )
    this.#release = db.statement((q, slot) =>
      q.deleteFrom('leases').where('page', '=', slot('page')).where('token', '=', slot('token')),
    )
  }

  /** Whether somebody else has it; without a transaction that writes, for those who ask again and again. */
  isTaken(request: HoldRequest): boolean {
    checkTerms(request)
    const { host, now, worker } = request
    const id = this.#names.find(host)
    return id !== undefined && this.#taken().first({ host: id, now, worker }) !== undefined
  }

  /** Within a transaction that writes. */
  take(request: HoldRequest): HostHold | null {
    if (this.isTaken(request)) return null
    const { host, now, ttl, worker } = request
    const id = this.#names.ensure(host)
    const isLeft = this.#leases.hostsLeft({ worker, now }).includes(id)
    const token = this.#leases.nextToken()
    const expiresAt = now + ttl
    this.#take().run({ page: -id, host: id, token, expires: expiresAt, worker })
    if (isLeft) this.#hosts.fence(id, token)
    const [row] = this.#hosts.rows(new Set([id]))
    return { host, token, worker, expiresAt, record: hostRecord(host, row!) }
  }

  /** Within a transaction that writes. */
  release({ host, token }: Pick<HostHold, 'host' | 'token'>, record?: HostRecord): boolean {
    if (record !== undefined) this.#hosts.put(writtenHost(record))
    const id = this.#names.find(host)
    return id !== undefined && this.#release().run({ page: -id, token }) > 0
  }
}
