import { createServer } from 'node:http'

/**
 * What sites do, each once, on loopback: a page with an ETag, one with
 * Last-Modified, a feed, a sitemap, a shop with an ad and a clock, JSON, a page
 * that scripts make, one that is gone, one that is slow, one that fails.
 * `site.edition` changes what they say.
 */
export async function ownSite() {
  const site = { edition: 1, requests: 0 }
  const server = createServer((request, response) => answer(site, request, response))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  site.address = `http://127.0.0.1:${server.address().port}`
  site.close = () => {
    server.close()
    server.closeAllConnections()
  }
  return site
}

export const ownPaths = [
  'news/2026/harbour-reopens-after-the-storm-of-the-century',
  'terms',
  'feed.xml',
  'sitemap.xml',
  'shop/lamp',
  'data.json',
  'board',
  'gone',
  'slow',
  'broken',
]

const articles = [
  'The harbour is closed. Ferries leave from the river pier.',
  'The harbour opens again on Monday. Ferries leave from the river pier until then.',
  'The harbour is open. Ferries leave from the harbour, every 20 minutes.',
]

function answer(site, request, response) {
  site.requests++
  const { edition, requests } = site
  const send = (body, type = 'text/html', headers = {}) =>
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, ...headers }).end(body)
  const html = (title, main) =>
    `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${main}</main></html>`
  switch (request.url.slice(1)) {
    case ownPaths[0]: {
      const etag = `"${edition}"`
      if (request.headers['if-none-match'] === etag) return response.writeHead(304).end()
      const text = articles[(edition - 1) % articles.length]
      return send(
        html('Harbour news', `<p>${text}</p><p>Edition ${edition} of the day</p>`),
        'text/html',
        {
          etag,
        },
      )
    }
    case 'terms':
      return send(html('Terms of service', '<p>Be kind.</p><p>Pay in time.</p>'), 'text/html', {
        'last-modified': 'Mon, 05 Jan 2026 12:00:00 GMT',
      })
    case 'feed.xml':
      return send(
        `<feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour feed</title><id>f</id><updated>2026-01-05T12:00:00Z</updated><entry><title>Edition ${edition}</title><id>${edition}</id><updated>2026-01-05T12:00:00Z</updated><link href="/terms"/></entry></feed>`,
        'application/atom+xml',
      )
    case 'sitemap.xml':
      return send(
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://${request.headers.host}/terms</loc></url></urlset>`,
        'application/xml',
      )
    case 'shop/lamp':
      return send(
        html(
          'Lamp',
          `<section id="offer"><p class="price">Price: ${(1290 + 10 * edition).toLocaleString('de-DE')},00 €</p>
           <p>${edition % 2 === 0 ? 'In stock' : 'Sold out'}</p></section>
           <aside class="ad">Buy hats, offer ${requests}</aside>
           <footer>It is now ${new Date().toISOString()}</footer>`,
        ),
      )
    case 'data.json':
      return send(JSON.stringify({ price: edition, at: requests }), 'application/json')
    case 'board':
      return send(
        '<!doctype html><title>Departures</title><div id="root">Loading</div><script>document.getElementById("root").textContent = "All trains are on time"</script>',
      )
    case 'slow':
      return void setTimeout(() => send(html('Slow', '<p>It took a while</p>')), 700)
    case 'broken':
      return response.writeHead(500).end('broken')
    case 'robots.txt':
      return response.writeHead(404).end()
    default:
      return response.writeHead(410).end('gone')
  }
}
