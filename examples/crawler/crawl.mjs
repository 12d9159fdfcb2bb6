import { openCrawler } from 'revisit/crawler'
import { openSqliteStore } from 'revisit/store'

/**
 * A crawler of a few lines: follows the pages that are named, each as often as
 * its changes are worth, prints every visit, and ends once nothing is due.
 *
 *     node crawl.mjs me@example.org https://example.org/ https://example.org/news
 *
 * Started again, it goes on with what it has learned: all of it is in pages.db.
 */

const [contact, ...urls] = process.argv.slice(2)

// Pages, visits, copies, and what is known of each page and host.
const store = await openSqliteStore({ path: 'pages.db' })
const collection = 'default'
// Pages that are there already stay as they are.
await store.addPages({ collection, pages: urls.map((url) => ({ url })), now: Date.now() / 1000 })

const crawler = await openCrawler({
  store,
  collection,
  // Servers must be able to reach you: without a contact no public host is asked.
  contact,
  // Two requests a page and day, spent where they are worth most.
  budget: { perPage: 2 },
  // This machine and private networks are not asked unless they are allowed: 127.0.0.0/8
  allowedNetworks: process.env.ALLOWED_NETWORKS?.split(',') ?? [],
  // Each setting has its default (`crawlerDefaults`); so have clock, fetcher, reader and planners.
})

// Ctrl-C ends it when the visits under way are recorded.
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())

try {
  await crawler.run({
    signal: stop.signal,
    // Left out, it waits for the next page that falls due, and goes on for ever.
    once: true,
    // Called when a visit is safely recorded, with when the page is visited next, and why.
    onVisit({ lease, visit, due }) {
      const next = due.at === 'never' ? 'never' : new Date(due.at * 1000).toISOString()
      process.stdout.write(`${visit.outcome}  ${lease.page.url}  next ${next}: ${due.reason}\n`)
    },
  })
} finally {
  await crawler.close()
  await store.close()
}
