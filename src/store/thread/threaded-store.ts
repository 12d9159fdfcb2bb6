import type { Inbox } from '../../model/inbox.js'
import type { LeaseRef, LeaseRequest } from '../../model/lease.js'
import type { Outbox } from '../../model/outbox.js'
import type { QueueAddress, Queues, ReportedItem } from '../../model/queue.js'
import type { FileStore } from '../../model/store.js'
import type { UnixSeconds } from '../../model/units.js'
import type { VisitReport } from '../../model/visit-record.js'
import { transfers } from '../flat-rows.js'
import { queueReports } from '../queue-rules.js'
import { reportPacker } from '../report-rows.js'
import type { SqliteStoreOptions } from '../sqlite/store.js'
import { WriteBuffer } from '../write-buffer.js'
import { CalledThread, calls } from './calls.js'
import {
  type PackedClaims,
  PackedLease,
  type PackedLeases,
  unpackClaims,
  unpackLeases,
} from './packed-leases.js'

/**
 * The SQLite store on a thread of its own, for a loop that visits many pages a
 * second: its thread goes on with the network while this one writes and waits
 * for the disk. Promises as `openSqliteStore`. Only from the built package:
 * Node 20 runs no TypeScript in a thread.
 */
export async function openThreadedStore(options: SqliteStoreOptions): Promise<FileStore> {
  const thread = new CalledThread(new URL('./store-thread.js', import.meta.url), options)
  const path = await thread.call<string>({ method: 'path', args: [] })
  const outbox = calls<Outbox>((method, args) => thread.call({ of: 'outbox', method, args }), {})
  const inbox = calls<Inbox>((method, args) => thread.call({ of: 'inbox', method, args }), {})
  const visits = visiting(thread)
  const queues = calls<Queues>((method, args) => thread.call({ of: 'queues', method, args }), {
    async claim(addresses: readonly QueueAddress[]) {
      const wanted = addresses.map(({ collection, key, url }) => ({ collection, key, url }))
      const call = { of: 'queues', method: 'claim', args: [wanted] } as const
      return unpackClaims(await thread.call<PackedClaims>(call), addresses)
    },
    /** Reports go with all others. */
    async report(items: readonly ReportedItem[], now: UnixSeconds) {
      return visits.recordVisits(queueReports(items, now))
    },
  })
  const own = { path, outbox, inbox, queues, ...visits }
  return calls<FileStore>((method, args) => thread.call({ method, args }), own)
}

/** The calls of the loop, packed for the way. */
function visiting(
  thread: CalledThread,
): Pick<
  FileStore,
  'leaseDue' | 'extendLeases' | 'releaseLeases' | 'isReported' | 'recordVisits' | 'close'
> {
  const buffer = new WriteBuffer(reportPacker, (reports) =>
    thread.call({ method: 'recordVisits', args: [reports] }, transfers(reports.visits)),
  )
  let closed: Promise<void> | undefined
  return {
    async leaseDue(request: LeaseRequest) {
      const call = { method: 'leaseDue', args: [request] } as const
      return unpackLeases(await thread.call<PackedLeases>(call), request)
    },
    extendLeases(leases: readonly LeaseRef[], terms) {
      return thread.call({ method: 'extendLeases', args: [leases.map(refOf), terms] })
    },
    releaseLeases(leases: readonly LeaseRef[]) {
      return thread.call({ method: 'releaseLeases', args: [leases.map(refOf)] })
    },
    isReported(lease: LeaseRef) {
      return thread.call({ method: 'isReported', args: [refOf(lease)] })
    },
    /** The buffer's own promise: one around it would take its time at every visit. */
    recordVisits(reports: readonly VisitReport[]) {
      try {
        const results = buffer.add(reports)
        for (const { lease } of reports) if (lease instanceof PackedLease) lease.fold()
        return results
      } catch (error) {
        return Promise.reject(error)
      }
    },
    /** Reports on their way are written first. */
    async close() {
      closed ??= buffer.ended().then(() => thread.call({ method: 'close', args: [] }))
      await closed
    },
  }
}

/** Without the page: its number is all that is asked for. */
function refOf(lease: LeaseRef): LeaseRef {
  if (lease instanceof PackedLease) return lease.ref
  const { page, token } = lease
  return { page: { id: page.id }, token }
}
