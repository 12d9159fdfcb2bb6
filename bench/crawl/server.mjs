import { createServer } from 'node:http'

/**
 * The server of the crawl bench, in a process of its own so that it shares no
 * thread with those it serves: sites on ports of 127.0.0.1, each with pages of
 * 10 KB of HTML. With each generation every other page has other words; `reported`
 * says whether it gives ETags and answers 304 by them.
 */

const [sites, pages] = process.argv.slice(2).map(Number)
let generation = 0
let reported = false
const size = 10 * 1024
const words = 'the tide was late and the boats came in with lanterns lit for all to see '

const servers = Array.from({ length: sites }, (_, site) =>
  createServer((request, response) => serve(site, request, response)),
)
for (const server of servers) {
  server.keepAliveTimeout = 600_000
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
}
process.on('message', (message) => {
  generation = message.generation
  reported = message.reported
  process.send({ ready: true })
})
process.send({ ports: servers.map((server) => server.address().port) })

function serve(site, request, response) {
  const page = Number(request.url.slice('/page/'.length))
  if (!(page >= 0 && page < pages)) return response.writeHead(404, { 'content-length': 0 }).end()
  const version = page % 2 === 0 ? generation : 0
  const etag = `"${site}-${page}-${version}"`
  if (reported && request.headers['if-none-match'] === etag)
    return response.writeHead(304, { etag }).end()
  const body = bodyOf({ site, page, version })
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length }
  response.writeHead(200, reported ? { ...headers, etag } : headers).end(body)
}

/** Paragraphs of a few lines with a link in each, as pages have them. */
function bodyOf({ site, page, version }) {
  const title = `Page ${page} of site ${site}`
  const parts = [`<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1>`]
  let length = parts[0].length
  for (let i = 0; length < size; i++) {
    const text = `<p class="text">${version} ${i} ${words.repeat(4)}<a href="/page/${i % pages}">more</a></p>\n`
    parts.push(text)
    length += text.length
  }
  return Buffer.from(`${parts.join('').slice(0, size - 14)}</body></html>`)
}
