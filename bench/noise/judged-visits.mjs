/**
 * Visits one page again and again by a real crawler, on a clock that runs as
 * fast as the code, and judges each visit after the first by what truly
 * happened. `revisit` holds the parts of the package that it needs; `fetcher`
 * asks the page's server, in this process unless given.
 */
export async function judgedVisits(
  revisit,
  {
    page,
    visits,
    reading,
    noiseCheck,
    settings: own = {},
    random,
    delay = 0,
    url = 'http://noisy.test/',
    ...given
  },
) {
  const { openCrawler, openMemoryStore, fixed, Random } = revisit
  const clock = revisit.clock ?? jumpingClock()
  const fetcher = given.fetcher ?? rendering(page, clock)
  const store = await openMemoryStore()
  const settings = { ...own, ...(reading === undefined ? {} : { reading }), noiseCheck }
  const collection = 'noise'
  await store.addPages({ collection, pages: [{ url, settings }], now: clock.now() })
  const tally = {
    visits: 0,
    changes: 0,
    false: 0,
    falseLater: 0,
    missed: 0,
    requests: 0,
    bytes: 0,
    faults: [],
  }
  let fetched = []
  const watched = {
    async fetch(request, options) {
      const answer = await fetcher.fetch(request, options)
      if (request.url !== url) return answer
      tally.requests++
      fetched.push(page.version())
      return answer
    },
    close: () => fetcher.close(),
  }
  let before = null
  const crawler = await openCrawler({
    store,
    clock,
    collection,
    worker: 'bench',
    contact: 'bench@localhost',
    fetcher: watched,
    delay,
    random: new Random(1),
    plannerFor: () => ({ policy: fixed({ gap: 3600 }), learner: null }),
    concurrency: 1,
    unconditionalShare: 0,
    pollEvery: 3600,
  })
  clock.busy = () => crawler.underWay > 0
  const stop = new AbortController()
  await crawler.run({
    signal: stop.signal,
    onVisit({ visit }) {
      // What counts is the first answer of the visit; repeats come after it.
      const [now] = fetched
      fetched = []
      if (before !== null) {
        const changed = now !== before
        if (changed) tally.changes++
        if (visit.outcome === 'changed' && !changed) {
          tally.false++
          // After the first ten visits, by which a page has shown what takes turns on it.
          if (tally.visits >= 10) tally.falseLater++
        }
        if (visit.outcome !== 'changed' && changed) tally.missed++
        if (visit.outcome !== 'changed' && visit.outcome !== 'unchanged') tally.faults.push(visit)
      }
      before = now
      tally.bytes += visit.bytes
      page.visit?.()
      if (++tally.visits > visits) stop.abort()
      else if (random() < 0.2) page.change()
    },
  })
  const { pages } = await store.listPages({ collection, limit: 1 })
  await crawler.close()
  await store.close()
  return { ...tally, visits: tally.visits - 1, masks: pages[0].noise?.masks ?? [] }
}

const headers = { 'content-type': 'text/html; charset=utf-8' }

/** The page's server, in this process; it has no robots.txt. */
function rendering(page, clock) {
  return {
    async fetch({ url }) {
      const about = { at: clock.now(), url, headers }
      if (url.endsWith('/robots.txt'))
        return { ...about, kind: 'gone', status: 404, bytesReceived: 0 }
      const body = Buffer.from(page.render())
      return { ...about, kind: 'content', status: 200, bytesReceived: body.length, body }
    },
    async close() {},
  }
}

/** Sleeps take no time; long ones, those of the loop itself, end when no visit is under way. */
export function jumpingClock() {
  let now = 1.7e9
  return {
    now: () => now,
    busy: () => false,
    async sleep(seconds, signal) {
      do await new Promise((resolve) => setImmediate(resolve))
      while (seconds > 60 && this.busy() && !signal?.aborted)
      if (!signal?.aborted) now += seconds
    },
  }
}
