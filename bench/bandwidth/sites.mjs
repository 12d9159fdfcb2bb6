import { createServer } from 'node:http'
import { Random } from '../../dist/numeric/index.js'

/**
 * A small web on loopback whose pages tell how often they change: sites of
 * pages with known changes, honest ETag and Last-Modified, answers of 304, and
 * Hattab's Change-Frequency tag. Time is the bench's own. Bytes are counted at
 * the sockets, headers and both directions included.
 */

const day = 86_400
const size = 12_000 // Hattab, section 3: the average page.
const words = 'harbour lantern notice ferry timber ledger orchard signal copper window '.split(' ')

/** Change periods in days, a page each on every site; two pages never change. */
const periods = [0.5, 1, 2, 4, 7, 14, 30, 60, Infinity, Infinity]

export function madeSites({ sites, days, seed }) {
  return Array.from({ length: sites }, (_, site) =>
    periods.map((period, page) => {
      const random = new Random(seed * 1000 + site * 100 + page)
      return { path: `/${page}`, period, changes: changesOf({ period, days, random, page }), page }
    }),
  )
}

/** Every second page keeps to a clock, the others change at random. */
function changesOf({ period, days, random, page }) {
  const changes = []
  if (period === Infinity) return changes
  const step = () => (page % 2 === 0 ? period : period * random.exponential())
  for (let at = period * random.uniform(); at < days; at += step()) changes.push(at * day)
  return changes
}

export function tagOf({ period }) {
  if (period === Infinity) return 'STATIC'
  return `PERIODIC=${Math.max(1, Math.round(period))}`
}

export function versionAt({ changes }, since) {
  let version = 0
  while (version < changes.length && changes[version] <= since) version++
  return version
}

/** Serves the sites; `clock.since()` is seconds since the beginning. */
export async function serveSites(sites, { clock, origin }) {
  const tally = { requests: 0, robots: 0, bytes: 0, notModified: 0, notModifiedBytes: 0 }
  const servers = sites.map((pages) =>
    createServer((request, response) => {
      const page = pages[Number(request.url.slice(1))]
      response.on('finish', () => counted(tally, { request, response, page }))
      if (page === undefined) return response.writeHead(404).end()
      answer({ page, request, response, since: clock.since(), origin })
    }),
  )
  for (const server of servers) {
    server.keepAliveTimeout = 600_000
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  }
  return {
    tally,
    bases: servers.map((server) => `http://127.0.0.1:${server.address().port}`),
    close() {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

function answer({ page, request, response, since, origin }) {
  const version = versionAt(page, since)
  const etag = `"${page.page}-${version}"`
  const changed = version === 0 ? origin - 30 * day : origin + page.changes[version - 1]
  const lastModified = new Date(Math.floor(changed) * 1000).toUTCString()
  const validators = { etag, 'last-modified': lastModified }
  if (request.headers['if-none-match'] === etag) return response.writeHead(304, validators).end()
  const headers = { 'content-type': 'text/html; charset=utf-8', ...validators }
  response.writeHead(200, headers).end(bodyOf(page, version))
}

const marks = new WeakMap()

/** Requests of a connection come one after another: what it moved since the last one is this one's. */
function counted(tally, { request, response, page }) {
  const { socket } = request
  const before = marks.get(socket) ?? { read: 0, written: 0 }
  const now = { read: socket.bytesRead, written: socket.bytesWritten }
  marks.set(socket, now)
  const bytes = now.read - before.read + now.written - before.written
  tally.bytes += bytes
  if (page === undefined) tally.robots++
  else tally.requests++
  if (response.statusCode !== 304) return
  tally.notModified++
  tally.notModifiedBytes += bytes
}

function bodyOf(page, version) {
  const random = new Random(page.page * 7919 + version)
  const parts = [
    `<meta name="Change-Frequency" content="${tagOf(page)}"><title>${page.path}</title>`,
  ]
  for (let length = 0; length < size; ) {
    const word = words[Math.floor(random.uniform() * (words.length - 1))]
    parts.push(word)
    length += word.length + 1
  }
  return parts.join(' ').slice(0, size)
}
