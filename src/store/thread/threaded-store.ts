import type { FileStore, LeaseRequest, VisitReport } from '../../model/index.js'
import { checkReport } from '../checked-request.js'
import type { SqliteStoreOptions } from '../sqlite/sqlite-store.js'
import { CalledThread } from './called-thread.js'
import { type PackedLeases, unpackLeases } from './packed-leases.js'
import { SharedCommits } from './shared-commits.js'

/** Calls that go over as they are. */
const plainCalls = [
  'addPages',
  'changePage',
  'removePages',
  'getPage',
  'listPages',
  'countPages',
  'collections',
  'leasePages',
  'extendLeases',
  'releaseLeases',
  'releaseWorker',
  'nextDue',
  'visitsOf',
  'listVisits',
  'versionsOf',
  'snapshot',
  'prune',
  'getHost',
  'putHosts',
  'getSetting',
  'putSetting',
  'settings',
  'health',
  'totals',
  'check',
  'backup',
] as const satisfies readonly (keyof FileStore)[]

/**
 * The SQLite store on a thread of its own, for a loop that visits many pages a
 * second: its thread goes on with the network while this one writes and waits
 * for the disk. Promises as `openSqliteStore`. Only from the built package:
 * Node 20 runs no TypeScript in a thread.
 */
export async function openThreadedStore(options: SqliteStoreOptions): Promise<FileStore> {
  const thread = new CalledThread(new URL('./store-thread.js', import.meta.url), options)
  const path = await thread.call<string>({ method: 'path', args: [] })
  const commits = new SharedCommits(thread)
  const plain = Object.fromEntries(
    plainCalls.map((method) => [
      method,
      (...args: readonly unknown[]) => thread.call({ method, args }),
    ]),
  ) as Pick<FileStore, (typeof plainCalls)[number]>
  return { ...plain, path, ...visiting(thread, commits) }
}

/** The calls of the loop, packed for the way. */
function visiting(
  thread: CalledThread,
  commits: SharedCommits,
): Pick<FileStore, 'leaseDue' | 'recordVisits' | 'close'> {
  let closed: Promise<void> | undefined
  return {
    async leaseDue(request: LeaseRequest) {
      return unpackLeases(await thread.call<PackedLeases>({ method: 'leaseDue', args: [request] }))
    },
    async recordVisits(reports: readonly VisitReport[]) {
      for (const report of reports) checkReport(report)
      return commits.add(reports)
    },
    /** Reports on their way are written first. */
    async close() {
      closed ??= commits.ended().then(() => thread.call({ method: 'close', args: [] }))
      await closed
    },
  }
}
