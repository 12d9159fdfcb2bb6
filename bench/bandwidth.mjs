import { openCrawler } from '../dist/crawler/index.js'
import { Random } from '../dist/numeric/index.js'
import { learnerNamed, policyOf } from '../dist/planner/index.js'
import { openMemoryStore } from '../dist/store/index.js'
import { madeSites, serveSites } from './bandwidth/sites.mjs'

/**
 * Requests, bytes and freshness of the paper's crawlers on one local web, over
 * real HTTP in accelerated time: fixed weekly and daily, Hattab's meta-updates
 * (barrels, and the declared period itself), each of the papers' policies, and
 * some of them with publishers' hints. 40 pages on 4 sites, 90 days. The first
 * line of the table is what the others are compared with. Takes about a minute.
 */

export const name = 'requests and bytes of policies on one local web, over HTTP'

const day = 86_400
const days = 90
const origin = Date.UTC(2026, 0, 1) / 1000
const collection = 'bench'
const crawlers = [
  'fixed:gap=7d',
  'fixed:gap=1d',
  'meta-updates (barrels)',
  'declared',
  'malcolm-armitage-1',
  'malcolm-armitage-2',
  'malcolm-armitage',
  'grimes-ford',
  'singh',
  'with-hints(fixed:gap=1d)',
  'with-hints(malcolm-armitage)',
  'with-hints(singh)',
]

export async function run({ print, only = crawlers }) {
  const sites = madeSites({ sites: 4, days, seed: 1 })
  print(
    `${sites.flat().length} pages of 12 KB on 4 sites, ${days} days; bytes with headers, both ways\n`,
  )
  print('crawler                         requests  ratio        MB  ratio   fresh  bytes a 304')
  let first
  const results = []
  for (const crawler of only) {
    const result = await crawled(crawler, sites)
    first ??= result
    results.push({ crawler, ...result })
    print(lineOf(crawler, result, first))
  }
  const worst = Math.max(...results.map(({ perUnchanged }) => perUnchanged))
  print(
    `\nbytes of an unchanged visit with honest validators: ${Math.round(worst)} at most (target 1024: ${worst < 1024 ? 'reached' : 'MISSED'})`,
  )
  return results
}

function lineOf(crawler, { requests, bytes, freshness, perUnchanged }, first) {
  const ratio = (value, of) => `${(value / of).toFixed(2)}x`.padStart(6)
  return `${crawler.padEnd(30)} ${String(requests).padStart(9)} ${ratio(requests, first.requests)} ${(bytes / 1e6).toFixed(2).padStart(9)} ${ratio(bytes, first.bytes)} ${(100 * freshness).toFixed(1).padStart(6)}% ${String(Math.round(perUnchanged)).padStart(12)}`
}

/** One crawler for the whole time; the clock jumps from what is due to what is due next. */
async function crawled(crawler, sites) {
  let now = origin
  const clock = { now: () => now, since: () => now - origin, sleep: pause }
  const web = await serveSites(sites, { clock, origin })
  const pages = web.bases.flatMap((base, i) => sites[i].map((page) => [base + page.path, page]))
  const store = openMemoryStore()
  await store.addPages({ collection, pages: pages.map(([url]) => ({ url })), now })
  const copies = new Map(pages.map(([url, page]) => [url, { page, seen: null, fresh: 0 }]))
  const loop = await openBy(crawler, { store, clock })
  const onVisit = ({ visit, lease }) => {
    if (visit.status === 200 || visit.status === 304) seen(copies.get(lease.page.url), now - origin)
  }
  while (now <= origin + days * day) {
    await loop.run({ once: true, onVisit })
    const next = await store.nextDue({ collection, now, perHost: 1 })
    if (next === null) break
    now = Math.max(next, now + 1)
  }
  for (const copy of copies.values()) seen(copy, days * day)
  await loop.close()
  await store.close()
  web.close()
  const { requests, bytes, notModified, notModifiedBytes } = web.tally
  const fresh = [...copies.values()].reduce((sum, copy) => sum + copy.fresh, 0)
  return {
    requests,
    bytes,
    freshness: fresh / (copies.size * days * day),
    perUnchanged: notModified === 0 ? 0 : notModifiedBytes / notModified,
  }
}

/** A copy was fresh from when it was taken until the page's next change. */
function seen(copy, at) {
  if (copy.seen !== null) {
    const next = copy.page.changes.find((each) => each > copy.seen) ?? Infinity
    copy.fresh += Math.max(0, Math.min(next, at) - copy.seen)
  }
  copy.seen = at
}

function openBy(crawler, { store, clock }) {
  const barrels = crawler.startsWith('meta-updates')
  const policy = policyOf(barrels ? 'fixed' : crawler)
  const learner = policy.learner === null ? null : learnerNamed(policy.learner)
  return openCrawler({
    store,
    clock,
    collection,
    worker: 'bench',
    contact: 'bench@localhost',
    allowedNetworks: ['127.0.0.0/8'],
    delay: 0,
    ahead: 1,
    random: new Random(1),
    unconditionalShare: 0,
    barrels,
    // Barrels have a policy of their own.
    plannerFor: () => ({ policy, learner }),
  })
}

function pause(_, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 1)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
