import { readContent } from '../../src/content/read-content.js'
import { makePast } from '../../src/lab/demo/past-visits.js'
import { type DemoWeb, demoOrigin, startDemoWeb } from '../../src/lab/demo-web/demo-web.js'
import { Scores } from '../../src/lab/scores.js'
import type { FetchAnswer, Visitor } from '../../src/model/fetcher.js'
import { succeeded } from '../../src/model/history.js'
import type { Store } from '../../src/model/store.js'
import { DAY, MINUTE, type Seconds } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { PageState } from '../../src/planner/step.js'
import { stormCrawler } from '../../src/policies/crawlers.js'
import { openTestFrontier, SetClock } from './a-frontier.js'
import { all, discovered, known, put, type SeenInfo } from './wire-client.js'

/** What a way of spending requests came to: visits a page and day, and how fresh the copies really were, without the first quarter of the time. */
export interface WayResult {
  readonly perPage: number
  readonly freshness: number
}

interface Run {
  readonly seed: number
  readonly days: number
  /** Requests a page and day. */
  readonly perPage: number
}

interface CopyVisit {
  readonly at: number
  readonly notModified: boolean
}

/** The sample web as it is by a clock that the test sets. */
async function aWeb(seed: number): Promise<{ web: DemoWeb; clock: SetClock; urls: string[] }> {
  const clock = new SetClock(demoOrigin)
  const web = await startDemoWeb({ seed, clock, origin: demoOrigin })
  const seen = web.truth().filter(({ access }) => access !== 'disallowed')
  return { web, clock, urls: seen.map(({ url }) => url) }
}

/** Our own loop, by its own parts: budget, planner, prior, comparison. */
export async function ownLoop({ seed, days, perPage }: Run): Promise<WayResult> {
  const { web, clock, urls } = await aWeb(seed)
  try {
    const until = demoOrigin + days * DAY
    const pages = urls.map((url) => ({ url }))
    const past = await makePast(web, {
      pages,
      random: new Random(seed),
      perPage,
      delay: MINUTE,
      until,
    })
    clock.at = until
    const visits = new Map<string, CopyVisit[]>(urls.map((url) => [url, []]))
    for (const { visit, lease } of past.visits)
      if (succeeded(visit.outcome))
        visits.get(lease.page.url)!.push({ at: visit.at, notModified: visit.status === 304 })
    return resultOf(web, { visits, made: past.visits.length, days })
  } finally {
    await web.close()
  }
}

/** A fetcher that speaks URLFrontier alone, and a frontier that decides. */
export async function byFrontier(store: Store, { seed, days, perPage }: Run): Promise<WayResult> {
  const { web, clock, urls } = await aWeb(seed)
  const settings = { budget: { perPage }, delay: MINUTE }
  const frontier = await openTestFrontier(store, { schedule: 'auto', clock, settings })
  try {
    const { client, crawls } = frontier
    await client.setDelay({ delayRequestable: MINUTE })
    await put(
      client,
      urls.map((url) => discovered(url)),
    )
    const { controller } = await crawls.of('DEFAULT')
    const visitor = web.visitorAt(clock)
    const visits = new Map<string, CopyVisit[]>(urls.map((url) => [url, []]))
    let made = 0
    const until = demoOrigin + days * DAY
    // Pages are due to the second, and asked for every ten minutes.
    for (let day = demoOrigin; day < until; day += DAY) {
      for (let at = day; at < day + DAY; at += 10 * MINUTE) {
        clock.at = at
        const given = await all(client.getURLs({ maxUrlsPerQueue: 20, delayRequestable: 60 }))
        if (given.length === 0) continue
        const items = await Promise.all(given.map((info) => fetched(info, { visitor, at, visits })))
        made += items.length
        await put(client, items)
      }
      // As beside a loop, once its time has come.
      if (await controller.isDue(clock.at)) await controller.refresh({ now: clock.at })
    }
    clock.at = until
    return resultOf(web, { visits, made, days })
  } finally {
    await frontier.close()
    await web.close()
  }
}

/** One page fetched as it was given, and the known item that StormCrawler would send. */
async function fetched(
  { url, metadata }: SeenInfo,
  about: {
    readonly visitor: Visitor
    readonly at: number
    readonly visits: ReadonlyMap<string, CopyVisit[]>
  },
) {
  const { visitor, at, visits } = about
  const [etag] = metadata['protocol.etag']?.values ?? []
  const [date] = metadata['last-modified']?.values ?? []
  const validators = {
    ...(etag === undefined ? {} : { etag }),
    ...(date === undefined ? {} : { lastModified: new Date(date).toUTCString() }),
  }
  const answer = await answerOf(visitor, { url, validators })
  const kept = Object.entries(metadata).map(([name, { values }]) => [name, values[0]!])
  const sent: Record<string, string> = Object.fromEntries(kept)
  sent.lastProcessedDate = new Date(at * 1000).toISOString()
  delete sent['fetch.error.count']
  if (answer.kind === 'failed') sent['fetch.error.count'] = '1'
  else {
    sent['fetch.statusCode'] = String(answer.status)
    for (const name of ['etag', 'last-modified', 'retry-after']) {
      const value = answer.headers[name]
      if (value === undefined) delete sent[`protocol.${name}`]
      else sent[`protocol.${name}`] = value
    }
  }
  if (answer.kind === 'content') sent.signature = readContent(answer).fingerprint
  if (answer.kind === 'content' || answer.kind === 'not-modified')
    visits.get(url)!.push({ at, notModified: answer.kind === 'not-modified' })
  return known(url, at + DAY, { metadata: sent })
}

async function answerOf(
  visitor: Visitor,
  request: { readonly url: string; readonly validators: object },
): Promise<FetchAnswer> {
  const begun = await visitor.begin(request, {
    hold: async () => null,
    release: async () => {},
    book: async () => true,
  })
  if (begun.kind !== 'admitted') throw new Error(`${request.url} was not admitted`)
  const visit = await begun.fetch()
  if (visit.kind !== 'answered') throw new Error(`${request.url} was not answered`)
  return visit.answer
}

/** StormCrawler's adaptive rule, its gaps scaled by one factor, found in hindsight, so that it spends as much. */
export async function byStormCrawler(run: Run): Promise<WayResult> {
  let [low, high] = [0.1, 10]
  let best: WayResult = { perPage: 0, freshness: 0 }
  for (let step = 0; step < 8; step++) {
    const factor = Math.sqrt(low * high)
    best = await adaptive(run, factor)
    if (best.perPage > run.perPage) low = factor
    else high = factor
  }
  return best
}

async function adaptive({ seed, days }: Run, factor: number): Promise<WayResult> {
  const { web, clock, urls } = await aWeb(seed)
  try {
    const visitor = web.visitorAt(clock)
    const until = demoOrigin + days * DAY
    const visits = new Map<string, CopyVisit[]>(urls.map((url) => [url, []]))
    let made = 0
    for (const url of urls) {
      let plannedGap: Seconds = 0
      let before: string | undefined
      let validators: object = {}
      for (let at = demoOrigin; at < until; ) {
        clock.at = at
        made++
        const answer = await answerOf(visitor, { url, validators })
        let changed = false
        if (answer.kind === 'content') {
          const { fingerprint } = readContent(answer)
          changed = before !== undefined && fingerprint !== before
          before = fingerprint
          const { etag, 'last-modified': lastModified } = answer.headers
          validators = { ...(etag ? { etag } : {}), ...(lastModified ? { lastModified } : {}) }
        }
        if (answer.kind === 'content' || answer.kind === 'not-modified')
          visits.get(url)!.push({ at, notModified: answer.kind === 'not-modified' })
        Object.assign(view, { plannedGap, changed })
        plannedGap = stormCrawler.nextGap(view)
        at += factor * plannedGap
      }
    }
    clock.at = until
    return resultOf(web, { visits, made, days })
  } finally {
    await web.close()
  }
}

/** Of what the rule looks at nothing but the gap and the change. */
const view = new PageState({ learner: null, random: new Random(1) })

function resultOf(
  web: DemoWeb,
  about: {
    readonly visits: ReadonlyMap<string, readonly CopyVisit[]>
    readonly made: number
    readonly days: number
  },
): WayResult {
  const { visits, made, days } = about
  const until = web.clock.now()
  const early = until - 0.75 * days * DAY
  const [all, first] = [new Scores(), new Scores()]
  for (const [url, list] of visits) {
    all.add(web.freshnessOf(url, list, { until }))
    const some = list.filter(({ at }) => at <= early)
    first.add(web.freshnessOf(url, some, { until: early }))
  }
  return {
    perPage: (made - visits.size) / visits.size / days,
    freshness: (all.freshTime - first.freshTime) / (all.time - first.time),
  }
}
