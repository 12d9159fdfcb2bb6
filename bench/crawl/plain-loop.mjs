import { Agent } from 'undici'
import { hosts, pages, sentHeaders } from './sides.mjs'

/**
 * All pages of a store once, with nothing at a visit but the request: leased in
 * batches, asked for host by host, recorded in shared commits. A store has
 * `lease` (pages with their site; none where no more are left), `requestOf` a
 * page, and `record` (a page, when its visit began), which calls `recorded`.
 */

/** Fewer pages than this wait: more are leased. */
const few = 300

export function plainLoop({ store, work }) {
  const agent = new Agent({ connections: 1, pipelining: 1 })
  const queues = Array.from({ length: hosts }, () => [])
  const idle = new Set(queues.keys())
  let [leased, leasing, atHand, recorded] = [0, false, 0, 0]
  return new Promise((resolve, reject) => {
    store.recorded = (many) => {
      recorded += many
      if (recorded === hosts * pages) agent.close().then(resolve, reject)
    }
    store.failed = reject
    lease().catch(reject)

    async function lease() {
      if (leasing || leased === hosts * pages || atHand > few) return
      leasing = true
      const some = await store.lease()
      for (const page of some) queues[page.site].push(page)
      leased += some.length
      atHand += some.length
      leasing = false
      for (const site of idle) ask(site)
    }

    function ask(site) {
      const page = queues[site].shift()
      idle[page === undefined ? 'add' : 'delete'](site)
      if (page === undefined) return
      atHand--
      lease().catch(reject)
      const { origin, path, etag } = store.requestOf(page)
      const begun = Date.now() / 1000
      agent.dispatch(
        { origin, path, method: 'GET', headers: { ...sentHeaders, 'if-none-match': etag } },
        {
          onRequestStart() {},
          onResponseStart(_, status) {
            if (status !== 304) reject(new Error(`status ${status}`))
          },
          onResponseData() {},
          onResponseEnd() {
            if (work > 0) busy(work)
            store.record(page, begun)
            ask(site)
          },
          onResponseError: (_, error) => reject(error),
        },
      )
    }
  })
}

function busy(microseconds) {
  const until = performance.now() + microseconds / 1000
  while (performance.now() < until);
}
