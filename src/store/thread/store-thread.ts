import { parentPort, workerData } from 'node:worker_threads'
import { carry } from '../../model/errors.js'
import type { LeaseRequest } from '../../model/lease.js'
import type { QueueAddress } from '../../model/queue.js'
import { type FlatRows, transfers } from '../flat-rows.js'
import type { PackedReports } from '../report-rows.js'
import { openSqliteStore, type SqliteStore } from '../sqlite/store.js'
import { type Asked, type Call, CountedCalls, type Reply, type ThreadData } from './calls.js'
import { packClaims, packLeases } from './packed-leases.js'

/** Runs in a worker thread: a store of its own, and calls to it as they come. */
const port = parentPort!
const { options, gate } = workerData as ThreadData
const calls = new CountedCalls(gate)
const opened = openSqliteStore(options)
const settled = () => calls.end()
opened.then(settled, settled)

port.on('message', (call: Call) => {
  if (!calls.begin()) return
  void answered(call).then((reply) => {
    port.postMessage(reply, transferred(reply))
    calls.end()
    if (call.method === 'close') port.close()
  })
})

async function answered({ id, ...asked }: Call): Promise<Reply> {
  try {
    return { id, result: await result(await opened, asked) }
  } catch (error) {
    const carried = carry(error)
    if (carried !== undefined) return { id, error: carried }
    return { id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

async function result(store: SqliteStore, { of, method, args }: Asked): Promise<unknown> {
  if (of === 'outbox') return called(store.outbox, store.outbox[method], args)
  if (of === 'inbox') return called(store.inbox, store.inbox[method], args)
  if (of === 'queues' && method === 'claim')
    return packClaims(store.queues.claimedRows(args[0] as readonly QueueAddress[]))
  if (of === 'queues') return called(store.queues, store.queues[method], args)
  if (method === 'path') return store.path
  if (method === 'recordVisits') return store.recordPacked(args[0] as PackedReports)
  if (method === 'leaseDue') return packLeases(await store.leaseRows(args[0] as LeaseRequest))
  return called(store, store[method], args)
}

function called(of: object, method: unknown, args: readonly unknown[]): Promise<unknown> {
  return (method as (...args: readonly unknown[]) => Promise<unknown>).apply(of, [...args])
}

/** What can go over without a copy. */
function transferred(reply: Reply): ArrayBuffer[] {
  const { leased } = ('result' in reply ? (reply.result ?? {}) : {}) as { leased?: FlatRows }
  return leased === undefined ? [] : transfers(leased)
}
