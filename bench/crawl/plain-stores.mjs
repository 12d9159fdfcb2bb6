import { Worker } from 'node:worker_threads'
import { openThreadedStore } from '../../dist/store/index.js'
import { etagOf, pages } from './sides.mjs'

/**
 * Two stores for `plainLoop`: tables of SQLite with nothing besides, and the
 * store of Revisit, both on threads of their own.
 */

/** Of all answers. */
const generation = 1
/** Pages of each host leased together, and how long a commit waits for more visits, as the loop has it. */
const [many, commitEvery] = [8, 40]

export function plainTables({ path, bases }) {
  const worker = new Worker(new URL('floor-store.mjs', import.meta.url), {
    workerData: { path, bases, pages },
  })
  const waiting = new Map()
  let [last, leasedUpTo, visits, committing] = [0, 0, [], false]
  worker.on('message', ({ id, result }) => {
    waiting.get(id)(result)
    waiting.delete(id)
  })
  const call = (method, args, moved = []) =>
    new Promise((resolve) => {
      const id = ++last
      waiting.set(id, resolve)
      worker.postMessage({ id, method, args }, moved)
    })
  const store = {
    begin() {
      leasedUpTo = 0
    },
    async lease() {
      const rows = await call('lease', { from: leasedUpTo, many })
      leasedUpTo += many
      return rows.map((row) => ({ id: row[0], site: row[2] }))
    },
    requestOf({ id, site }) {
      const page = (id - 1) % pages
      return {
        origin: bases[site],
        path: `/page/${page}`,
        etag: etagOf({ site, page, generation }),
      }
    },
    record({ id }, begun) {
      visits.push(id, begun, 86_400, Date.now() / 1000 - begun)
      if (!committing) commit().catch((error) => store.failed(error))
    },
    close: () => worker.terminate(),
  }
  async function commit() {
    committing = true
    while (visits.length > 0) {
      await new Promise((go) => setTimeout(go, commitEvery / 2))
      const packed = Float64Array.from(visits)
      visits = []
      store.recorded(await call('record', { visits: packed }, [packed.buffer]))
    }
    committing = false
  }
  return store
}

/** Before each round its clock jumps ahead, so that every page is due. */
export async function revisitStore({ path, bases }) {
  const own = await openThreadedStore({ path })
  const collection = 'bench'
  let ahead = 0
  const now = () => Date.now() / 1000 + ahead
  const urls = bases.flatMap((base) =>
    Array.from({ length: pages }, (_, page) => ({ url: `${base}/page/${page}` })),
  )
  await own.addPages({ collection, pages: urls, now: now() })
  const sites = new Map(bases.map((base, site) => [new URL(base).host, site]))
  const numbers = new Float64Array(6)
  const terms = { collection, limit: 400, perHost: 1, ahead: 32, worker: 'bench', ttl: 300 }
  let ended = []
  const store = {
    begin() {
      ahead += 365 * 86_400
    },
    async lease() {
      const leases = await own.leaseDue({ ...terms, now: now() })
      return leases.map((lease) => ({ lease, site: sites.get(lease.host) }))
    },
    requestOf({ lease, site }) {
      const path = lease.page.url.slice(bases[site].length)
      const page = Number(path.slice('/page/'.length))
      return { origin: bases[site], path, etag: etagOf({ site, page, generation }) }
    },
    record({ lease }, begun) {
      if (ended.push(reportOf(lease, begun)) === 1) queueMicrotask(save)
    },
    close: () => own.close(),
  }
  function save() {
    const reports = ended
    ended = []
    own.recordVisits(reports).then((results) => {
      const lost = results.find((fate) => fate !== 'recorded')
      if (lost !== undefined) store.failed(new Error(lost))
      else store.recorded(results.length)
    }, store.failed)
  }
  function reportOf(lease, begun) {
    const { lastSeen, state } = lease.page
    const at = now()
    const visit = {
      at,
      outcome: lastSeen === null ? 'first' : 'unchanged',
      status: 304,
      gap: lastSeen === null ? null : at - lastSeen,
      contentAge: null,
      fingerprint: null,
      bytes: 0,
      duration: Date.now() / 1000 - begun,
      fault: null,
    }
    const due = { at: at + 86_400, reason: 'unchanged for three visits: the gap doubles' }
    return { lease, visit, due, state: state ?? { learner: 'one/other', numbers } }
  }
  return store
}
