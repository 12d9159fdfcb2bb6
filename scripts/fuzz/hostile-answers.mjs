import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

/** Answers that a hostile web server may give, made by a seeded random source: bytes for a socket. */

const MB = 1 << 20
const bomb = gzipSync(Buffer.alloc(64 * MB))

/** Writes one answer; `base` gives an address of the same server under another host. */
export function answer(socket, { random, path, base }) {
  const one = (list) => list[random.below(list.length)]
  if (path === '/robots.txt') return socket.end(plain(robots(random), 'text/plain'))
  if (random.below(12) === 0) return one(broken)(socket, random)
  const { type, body } = one(contents)({ random, one, base })
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body)
  const status = random.below(5) > 0 ? 200 : one(statuses)
  const headers = oddHeaders({ random, one, base, type })
  if (random.below(6) === 0) {
    const [coding, pack] = one(codings)
    const packed = pack(bytes)
    const cut = random.below(4) === 0 ? packed.subarray(0, random.below(packed.length + 1)) : packed
    return send(socket, { status, headers: [...headers, `content-encoding: ${coding}`], body: cut })
  }
  if (random.below(3) > 0) return send(socket, { status, headers, body: bytes })
  return drip(socket, { status, headers, body: bytes, random })
}

const statuses = [
  100, 201, 204, 206, 226, 300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404,
].concat([408, 410, 418, 421, 429, 431, 451, 500, 502, 503, 504, 511, 599, 600, 999, 0, 99])
const codings = [
  ['gzip', gzipSync],
  ['br', (bytes) => brotliCompressSync(bytes.subarray(0, MB))],
  ['deflate', deflateSync],
  ['gzip, gzip', (bytes) => gzipSync(gzipSync(bytes))],
  ['gzip', () => bomb],
  ['zstd', (bytes) => bytes],
]

function send(socket, { status, headers, body }) {
  socket.write(`HTTP/1.1 ${status} Maybe\r\n${headers.join('\r\n')}\r\n`)
  socket.write(`content-length: ${body.length}\r\nconnection: close\r\n\r\n`)
  socket.end(body)
}

function drip(socket, { status, headers, body, random }) {
  socket.write(`HTTP/1.1 ${status} Maybe\r\n${headers.join('\r\n')}\r\nconnection: close\r\n\r\n`)
  const piece = 1 + random.below(body.length + 1)
  let at = 0
  const more = () => {
    if (socket.destroyed) return
    if (at >= body.length || at > 40 * piece) return socket.end()
    socket.write(body.subarray(at, at + piece), () => setTimeout(more, 20))
    at += piece
  }
  more()
}

function plain(text, type) {
  const bytes = Buffer.from(text)
  return `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${bytes.length}\r\nconnection: close\r\n\r\n${text}`
}

const agents = ['*', 'Revisit', 'revisit (+https://x)', 'Foo Bar', '\u0000', 'a'.repeat(300)]
function robots(random) {
  const lines = Array.from({ length: random.below(30) }, () => {
    const name = ['User-agent', 'Disallow', 'Allow', 'Crawl-delay', 'Sitemap', 'x', ''][
      random.below(7)
    ]
    const value = [
      ...agents,
      '/private',
      '/*'.repeat(random.below(200)),
      '/x$',
      '-1',
      '1e9',
      '0.01',
    ][random.below(agents.length + 6)]
    return `${name}${random.below(9) === 0 ? '' : ':'} ${value}`
  })
  // Most pages stay open: else the fuzz would end with this.
  return random.below(4) === 0 ? lines.join('\n') : ''
}

const broken = [
  (socket) => socket.destroy(),
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty'),
  (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort'),
  (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nx'),
  (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffff\r\nx'),
  (socket, random) => socket.end(noise(random, random.below(5000))),
  (socket) => socket.end(`${'HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n'.repeat(2000)}`),
  (socket) => socket.end(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}\r\nx`),
  (socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}\r\n\r\nx`),
  // Says nothing: the limit on waiting ends it.
  (socket) => setTimeout(() => socket.destroy(), 20_000),
]

function oddHeaders({ random, one, base, type }) {
  const odd = [
    () =>
      `content-type: ${type}; charset=${one(['utf-8', 'utf-16', 'latin1', 'x-none', ' '.repeat(5000), '"'])}`,
    () =>
      `location: ${one([base(), '/', '//', 'http://169.254.169.254/', 'file:///etc/passwd', 'http://127.0.0.1:1/', 'javascript:1', `${base()}?${'a'.repeat(9000)}`, '\u00e9'])}`,
    () =>
      `last-modified: ${one([new Date().toUTCString(), 'Thu, 01 Jan 1970 00:00:00 GMT', 'yesterday', '9'.repeat(400), new Date(4e12).toUTCString()])}`,
    () => `etag: ${one(['"a"', 'W/"b"', 'a', '"', `"${'e'.repeat(4000)}"`])}`,
    () =>
      `cache-control: ${one(['max-age=-1', 'max-age=1e99', 'max-age=9999999999999999999', 'no-store', ','.repeat(500)])}`,
    () => `retry-after: ${one(['0', '-5', '1e9', 'Fri, 31 Dec 9999 23:59:59 GMT', 'soon'])}`,
    () => `set-cookie: ${'a=b; '.repeat(random.below(300))}`,
    () => `date: ${one(['now', new Date(0).toUTCString(), new Date(4e12).toUTCString()])}`,
    () => `age: ${one(['-1', '99999999999', 'x'])}`,
    () => `link: <${base()}>; rel="alternate feed canonical"`,
    () => `content-disposition: attachment; filename="../../etc/passwd"`,
  ]
  const chosen = Array.from({ length: random.below(5) }, () => one(odd)())
  return [`content-type: ${type}`, ...chosen]
}

export function noise(random, length) {
  return Buffer.from(Array.from({ length }, () => random.below(256)))
}

const words = (random, count) =>
  Array.from({ length: count }, () => `w${random.below(5000)}`).join(' ')

/** What pages are made of; each kind has stopped some reader of the web at some time. */
const contents = [
  ({ random }) => ({ type: 'text/html', body: `<p>${words(random, 200)}` }),
  ({ random }) => ({ type: 'text/html', body: `<p>${words(random, random.below(30_000))}` }),
  ({ random }) => ({ type: 'text/html', body: noise(random, random.below(20_000)) }),
  ({ random }) => ({ type: 'text/html', body: '<div>'.repeat(random.below(50_000)) }),
  ({ random }) => ({
    type: 'text/html',
    body: `<p class="${'a '.repeat(random.below(50_000))}">x`,
  }),
  ({ random }) => ({ type: 'text/html', body: `<p>a${'\u0301'.repeat(random.below(500_000))}` }),
  ({ random }) => ({ type: 'text/html', body: '<!--'.repeat(random.below(50_000)) }),
  ({ random }) => ({ type: 'text/html', body: `<p>${'&amp;#'.repeat(random.below(100_000))}` }),
  ({ random }) => ({
    type: 'text/html',
    body: `<p>${`${words(random, 300)}\n`.repeat(random.below(300))}`,
  }),
  ({ random }) => ({ type: 'text/plain', body: 'x\n'.repeat(random.below(200_000)) }),
  ({ random, base }) => ({
    type: 'text/html',
    body: `<meta http-equiv=refresh content="0;url=${base()}"><a href="${base()}">x</a>${words(random, 50)}<script>alert(1)</script>`,
  }),
  ({ random }) => ({ type: 'application/json', body: '[{"a":'.repeat(random.below(20_000)) }),
  ({ random }) => ({
    type: 'application/json',
    body: JSON.stringify({ a: [{ a: words(random, 100) }, 1e308, null], __proto__x: 1 }),
  }),
  ({ random, one, base }) => ({
    type: one(['application/xml', 'text/xml']),
    body: `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${`<url><loc>${base()}</loc><lastmod>${one(['2020', 'x', '9999-99-99'])}</lastmod></url>`.repeat(random.below(500))}`,
  }),
  ({ random, base }) => ({
    type: 'application/rss+xml',
    body: `<rss version="2.0"><channel>${`<item><link>${base()}</link><pubDate>${random.below(2) ? new Date(random.below(2e9) * 1000).toUTCString() : '\u0000'}</pubDate></item>`.repeat(random.below(200))}`,
  }),
  () => ({
    type: 'application/xml',
    body: `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i} "${`&a${i - 1};`.repeat(10)}">`).join('')}]><x>&a19;</x>`,
  }),
  ({ random }) => ({ type: 'application/pdf', body: nestedPdf(1 + random.below(12)) }),
  ({ random }) => ({
    type: 'application/pdf',
    body: Buffer.concat([Buffer.from('%PDF-1.7\n'), noise(random, random.below(5000))]),
  }),
  ({ random }) => ({ type: 'image/png', body: noise(random, random.below(100_000)) }),
  ({ random }) => ({ type: '\u00e9/;;', body: words(random, 10) }),
  () => ({ type: 'text/html', body: '' }),
  ({ random }) => ({
    type: 'text/html',
    body: `<p>${words(random, 1000)} ${'x'.repeat(random.below(9 * MB))}`,
  }),
]

/** Forms within forms: each draws the next four times, so that the work grows as 4^depth. */
export function nestedPdf(depth) {
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>']
  objects.push(
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>>>',
  )
  const stream = (head, text) => `<<${head}/Length ${text.length}>>stream\n${text}\nendstream`
  objects.push(stream('', '/F Do '.repeat(4)))
  for (let i = 0; i < depth; i++)
    objects.push(
      stream(
        `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F ${6 + i} 0 R>>>>`,
        '/F Do '.repeat(4),
      ),
    )
  objects.push(stream('/Type/XObject/Subtype/Form/BBox[0 0 9 9]', 'BT ET'))
  const body = objects.map((text, i) => `${i + 1} 0 obj\n${text}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.4\n${body}trailer<</Root 1 0 R/Size ${objects.length + 1}>>\n`)
}
