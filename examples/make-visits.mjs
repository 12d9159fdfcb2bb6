import { writeFileSync } from 'node:fs'
import { Random } from '../dist/numeric/index.js'

/**
 * Makes visits.csv: a small made-up log of twelve pages with different ways to
 * change. The same seed makes the same file: node examples/make-visits.mjs [FILE]
 */

const HOUR = 3600
const DAY = 24 * HOUR
const start = Date.UTC(2026, 0, 5, 6) / 1000
const random = new Random(2026)

/**
 * `period`: mean time between changes (exponential), or null for none.
 * `gap`: time between visits. `failing`: share of visits that fail.
 * `dated`: whether the server tells Last-Modified.
 */
const pages = [
  { url: 'https://news.example.org/', period: 3 * HOUR, gap: 6 * HOUR, visits: 24 },
  {
    url: 'https://news.example.org/weather',
    period: 12 * HOUR,
    gap: 6 * HOUR,
    visits: 24,
    dated: true,
  },
  { url: 'https://shop.example.org/offers', period: 2 * DAY, gap: DAY, visits: 21, dated: true },
  { url: 'https://shop.example.org/terms', period: null, gap: 3 * DAY, visits: 10 },
  { url: 'https://docs.example.org/guide/', period: 5 * DAY, gap: DAY, visits: 21, dated: true },
  { url: 'https://docs.example.org/guide/install', period: 9 * DAY, gap: 2 * DAY, visits: 14 },
  {
    url: 'https://docs.example.org/changes',
    period: 4 * DAY,
    gap: 2 * DAY,
    visits: 14,
    failing: 0.2,
  },
  { url: 'https://blog.example.org/', period: 3 * DAY, gap: 2 * DAY, visits: 14, jitter: 0.8 },
  {
    url: 'https://blog.example.org/2026/01/hello',
    period: 20 * DAY,
    gap: 4 * DAY,
    visits: 8,
    jitter: 0.5,
  },
  { url: 'https://status.example.org/', period: 5 * 60, gap: 12 * HOUR, visits: 10 },
  {
    url: 'https://old.example.org/about.html',
    period: null,
    gap: 5 * DAY,
    visits: 6,
    failing: 0.3,
  },
  { url: 'https://old.example.org/contact.html', period: 30 * DAY, gap: 5 * DAY, visits: 1 },
]

const rows = pages.flatMap(visitsOf).sort(byTime).map(line)
writeFileSync(
  process.argv[2] ?? new URL('visits.csv', import.meta.url),
  `${['url,at,changed,last_modified', ...rows].join('\n')}\n`,
)

function visitsOf(page, index) {
  const changes = changeTimes(page)
  const visits = []
  let seen
  for (let i = 0, at = start + index * 60; i < page.visits; i++) {
    if (random.uniform() < (page.failing ?? 0))
      visits.push({ url: page.url, at, changed: 'failed' })
    else {
      const last = changes.findLast((time) => time <= at)
      visits.push({
        url: page.url,
        at,
        changed: printed(seen, last),
        modified: page.dated ? last : undefined,
      })
      seen = last
    }
    at += Math.round(page.gap * (1 + (page.jitter ?? 0) * (2 * random.uniform() - 1)))
  }
  return visits
}

/** From a while before the first visit, so that the first content has an age too. */
function changeTimes({ period }) {
  const changes = [start - 60 * DAY]
  while (period !== null && changes.at(-1) < start + 60 * DAY)
    changes.push(changes.at(-1) + Math.ceil(period * random.exponential()))
  return changes
}

function printed(seen, last) {
  if (seen === undefined) return 'first'
  return seen === last ? 'false' : 'true'
}

function byTime(one, other) {
  return one.at - other.at || (one.url < other.url ? -1 : 1)
}

function line({ url, at, changed, modified }) {
  const time = (seconds) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
  return [url, time(at), changed, modified === undefined ? '' : time(modified)].join(',')
}
