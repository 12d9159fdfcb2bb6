import { DAY, type Seconds } from '../../model/units.js'
import { SteppingClock } from '../demo-web/clocks.js'
import { demoOrigin } from '../demo-web/demo-web.js'
import { DemoLoop } from './demo-loop.js'
import { FreshnessMeter } from './demo-watch.js'
import { type Way, ways } from './ways.js'

/** How fresh copies were up to a moment: fresh time and all time, summed over pages, and what had been predicted. */
interface Standing {
  readonly fresh: number
  readonly time: number
  /** Day by day. */
  readonly predictions: readonly number[]
}

/** Freshness that came true and that was predicted, over one stretch of time; null where nothing was predicted. */
interface Stretched {
  readonly freshness: number
  readonly predicted: number | null
}

/** Both over the time since an earlier standing; over all of it where no time has passed since. */
export function laterOn(all: Standing, early: Standing | null): Stretched {
  const { fresh, time, predictions } = early !== null && all.time > early.time ? early : nothing
  return {
    freshness: (all.fresh - fresh) / (all.time - time),
    predicted: mean(all.predictions.slice(predictions.length)),
  }
}

const nothing: Standing = { fresh: 0, time: 0, predictions: [] }

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((a, b) => a + b) / values.length
}

/** How one way did. */
export interface CompareRow {
  readonly way: string
  readonly visits: number
  /** As the sites counted them, robots.txt and redirects among them. */
  readonly requests: number
  /** Visits a page and day, first ones left out. */
  readonly perPage: number
  /** Share of page time in which the copies really equalled the pages. */
  readonly freshness: number
  /** Without the first quarter of the time, in which everything is new. */
  readonly lateFreshness: number
  /** Mean of what it predicted while it ran, and without the first quarter; null where it predicts nothing. */
  readonly predicted: number | null
  readonly latePredicted: number | null
  readonly demoSeconds: Seconds
}

interface Running {
  readonly way: Way
  readonly loop: DemoLoop
  readonly clock: SteppingClock
  readonly meter: FreshnessMeter
  visits: number
  readonly first: Set<string>
  /** What was predicted, day by day. */
  readonly predictions: number[]
  /** How things stood after the first quarter. */
  early: Standing | null
}

interface CompareOptions {
  readonly seed: number
  readonly speed: number
  /** Requests a page and day. */
  readonly perPage: number
  /** Whether publishers' hints are followed by the way that can. */
  readonly hints: boolean
  /** How long each way is followed, in demo time. */
  readonly duration: Seconds
  readonly version: string
  readonly end: AbortController
  /** Called with the way that is at work. */
  readonly progress?: (way: string) => void
}

/**
 * The same web, from the same seed, once for each way: each with a store of
 * its own, over real HTTP, by a clock that waits for requests, so that a busy
 * machine changes nothing.
 */
export async function compareWays(options: CompareOptions): Promise<CompareRow[]> {
  const rows: CompareRow[] = []
  for (const way of ways) {
    options.progress?.(way.name)
    const each = await opened(way, options)
    try {
      const start = each.loop.web.clock.now()
      await run(each, options)
      if (options.end.signal.aborted) break
      rows.push(rowOf(each, start))
    } finally {
      await each.loop.close()
    }
  }
  return rows
}

async function opened(
  way: Way,
  { seed, speed, perPage, hints, version }: CompareOptions,
): Promise<Running> {
  const clock = new SteppingClock({ start: demoOrigin })
  const loop = await DemoLoop.open({ seed, speed, version, way, perPage, hints, clock })
  const meter = new FreshnessMeter(loop.web)
  // The loop, what is refreshed beside it and the watcher below; and each visit that waits for its host.
  clock.actors = () => 3 + loop.crawler.underWay
  return { way, loop, clock, meter, visits: 0, first: new Set(), predictions: [], early: null }
}

async function run(each: Running, { duration, end }: CompareOptions): Promise<void> {
  const { loop, clock, meter, predictions } = each
  const began = clock.now()
  const until = began + duration
  const watching = (async () => {
    while (!end.signal.aborted && clock.now() < until) {
      await clock.sleep(Math.min(DAY, until - clock.now() + 1), end.signal)
      const predicted = loop.predicted()
      if (predicted !== null) predictions.push(predicted)
      if (each.early === null && clock.now() >= began + duration / 4) each.early = standing(each)
    }
  })()
  loop.begin()
  await loop.crawler.run({
    signal: end.signal,
    until,
    onVisit(saved) {
      meter.add(saved)
      if (saved.visit.fault === 'robots') return
      each.visits++
      each.first.add(saved.lease.page.url)
    },
  })
  // Whoever is left finds its own end.
  clock.actors = () => 1
  clock.wakeDue()
  await watching
}

function standing({ meter, predictions }: Running): Standing {
  const { revisit } = meter.scores()
  return {
    fresh: revisit.freshness * revisit.time,
    time: revisit.time,
    predictions: [...predictions],
  }
}

function rowOf(each: Running, start: number): CompareRow {
  const { way, loop, visits, first, early } = each
  const demoSeconds = loop.web.clock.now() - start
  const pages = loop.web.truth().length
  const whole = laterOn(standing(each), null)
  const late = laterOn(standing(each), early)
  return {
    way: way.name,
    visits,
    requests: loop.web.requests().total,
    perPage: (visits - first.size) / pages / (demoSeconds / DAY),
    freshness: whole.freshness,
    predicted: whole.predicted,
    lateFreshness: late.freshness,
    latePredicted: late.predicted,
    demoSeconds,
  }
}
