import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Configuration, HttpCrawler, log } from '@crawlee/http'

/**
 * Crawlee fetches, Revisit decides when. Each round leases what is due, lets
 * an HttpCrawler visit it once, and reports what it found.
 *
 *   npm install
 *   node fetcher.mjs [--server http://127.0.0.1:7400] [--visits 100]
 *
 * `npm run try` runs it against the demo web.
 */

const { values: options } = parseArgs({
  options: {
    server: { type: 'string', default: 'http://127.0.0.1:7400' },
    worker: { type: 'string', default: `crawlee-${randomBytes(4).toString('hex')}` },
    visits: { type: 'string', default: 'Infinity' },
    'lease-time': { type: 'string', default: '60' },
  },
})
log.setLevel(log.LEVELS.WARNING)
const ttl = Number(options['lease-time'])
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function ask(path, body) {
  const key = process.env.REVISIT_KEY
  const answer = await fetch(new URL(path, options.server), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  })
  const reported = await answer.json()
  if (!answer.ok && reported.error.code !== 'lease-lost') throw new Error(reported.error.message)
  return reported
}

async function report({ page, token, url }, found) {
  const reported = await ask('/api/reports', { page, token, at: Date.now() / 1000, ...found })
  process.stdout.write(`${reported.outcome ?? reported.error.code} ${url}\n`)
}

/** A page as Crawlee takes it; asked for only if it is not what we have. */
function requestOf(lease) {
  const { etag, lastModified } = lease.validators
  const conditional = lease.unconditional
    ? {}
    : {
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
        ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
      }
  return {
    url: lease.url,
    // Crawlee visits an address once; every lease is another visit.
    uniqueKey: `${lease.page}:${lease.token}`,
    headers: { ...lease.headers, ...conditional },
    userData: { lease },
  }
}

function crawler(waiting) {
  return new HttpCrawler(
    {
      // When to try again is for Revisit to say.
      maxRequestRetries: 0,
      retryOnBlocked: false,
      useSessionPool: false,
      respectRobotsTxtFile: true,
      additionalMimeTypes: ['*/*'],
      ignoreHttpErrorStatusCodes: Array.from({ length: 200 }, (_, i) => 400 + i),
      navigationTimeoutSecs: 10,
      preNavigationHooks: [
        async ({ request }) => sleep(request.userData.lease.notBefore * 1000 - Date.now()),
      ],
      async requestHandler({ request, response, body }) {
        const bytes = Buffer.from(body)
        const headers = Object.fromEntries(
          Object.entries(response.headers)
            .filter(([, value]) => value !== undefined)
            .map(([name, value]) => [name, String(value)]),
        )
        await report(request.userData.lease, {
          status: response.statusCode,
          headers,
          bytes: bytes.length,
          body: bytes.toString('base64'),
        })
      },
      // What robots.txt forbids is not visited; saying so lets Revisit put the page off.
      async onSkippedRequest({ url, reason }) {
        if (reason === 'robotsTxt') await report(waiting.get(url), { failure: 'robots' })
      },
      async failedRequestHandler({ request }, error) {
        const failure = /timed? ?out/i.test(error.message) ? 'timeout' : 'connect'
        await report(request.userData.lease, { failure })
      },
    },
    new Configuration({ persistStorage: false, purgeOnStart: true }),
  )
}

async function visit(leases) {
  const one = crawler(new Map(leases.map((lease) => [lease.url, lease])))
  await one.run(leases.map(requestOf))
  await one.teardown()
}

for (let done = 0; done < Number(options.visits); ) {
  const limit = Math.min(10, Number(options.visits) - done)
  const { leases, next } = await ask('/api/leases', { worker: options.worker, limit, ttl })
  if (leases.length > 0) await visit(leases)
  done += leases.length
  if (leases.length > 0) continue
  const wait = next === null ? 10_000 : next * 1000 - Date.now()
  await sleep(Math.min(10_000, Math.max(50, wait)))
}
