/**
 * Visits one page again and again by the real loop, on a clock that runs as
 * fast as the code, and judges each visit after the first by what truly
 * happened. `revisit` holds the parts of the package that it needs; `visitor`
 * makes the visits, in this process unless given.
 */
export async function judgedVisits(
  revisit,
  { page, visits, reading, noiseCheck, random, visitor, url = 'http://noisy.test/' },
) {
  const { Cycle, openMemoryStore, fixed, BoundedReading, pageNoiseRecheck, Random } = revisit
  const clock = revisit.clock ?? jumpingClock()
  const store = await openMemoryStore()
  const settings = { ...(reading === undefined ? {} : { reading }), noiseCheck }
  const collection = 'noise'
  await store.addPages({ collection, pages: [{ url, settings }], now: clock.now() })
  const tally = { visits: 0, changes: 0, false: 0, missed: 0, requests: 0, bytes: 0, faults: [] }
  let fetched = []
  const rendered = {
    async visit() {
      const body = Buffer.from(page.render())
      tally.requests++
      const answer = {
        kind: 'content',
        status: 200,
        at: clock.now(),
        url,
        headers,
        bytesReceived: body.length,
        body,
      }
      return { kind: 'answered', answer, hosts: [] }
    },
  }
  const made = visitor ?? rendered
  const watched = {
    async visit(...reported) {
      const visit = await made.visit(...reported)
      if (visit.kind === 'answered') fetched.push(page.version())
      return visit
    },
  }
  let before = null
  const bounded = new BoundedReading()
  const cycle = new Cycle(
    {
      store,
      clock,
      visitor: watched,
      reader: bounded.reader,
      noiseRecheck: pageNoiseRecheck({ reading: bounded, wait: 3 }),
      random: new Random(1),
      plannerFor: () => ({ policy: fixed({ gap: 3600 }), learner: null }),
    },
    { collection, worker: 'bench', concurrency: 1, unconditionalShare: 0, pollEvery: 3600 },
  )
  clock.busy = () => cycle.underWay > 0
  const stop = new AbortController()
  await cycle.run({
    signal: stop.signal,
    onVisit({ visit }) {
      // What counts is the first look of the visit; repeats come after it.
      const [now] = fetched
      fetched = []
      if (before !== null) {
        const changed = now !== before
        if (changed) tally.changes++
        if (visit.outcome === 'changed' && !changed) tally.false++
        if (visit.outcome !== 'changed' && changed) tally.missed++
        if (visit.outcome !== 'changed' && visit.outcome !== 'unchanged') tally.faults.push(visit)
      }
      before = now
      tally.bytes += visit.bytes
      if (++tally.visits > visits) stop.abort()
      else if (random() < 0.2) page.change()
    },
  })
  const { pages } = await store.listPages({ collection, limit: 1 })
  await store.close()
  return { ...tally, visits: tally.visits - 1, masks: pages[0].noise?.masks ?? [] }
}

const headers = { 'content-type': 'text/html; charset=utf-8' }

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
