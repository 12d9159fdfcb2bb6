import { fileURLToPath } from 'node:url'
import grpc from '@grpc/grpc-js'
import loader from '@grpc/proto-loader'

const proto = fileURLToPath(new URL('../../dist/frontier/urlfrontier.proto', import.meta.url))

/** The client of the benches: the same for every server. */
export function clientOf(address) {
  const { urlfrontier } = grpc.loadPackageDefinition(
    loader.loadSync(proto, { keepCase: true, longs: Number, enums: Number, oneofs: true }),
  )
  return new urlfrontier.URLFrontier(address, grpc.credentials.createInsecure())
}

/**
 * Sends items on one stream, no more than `window` of them unanswered, and
 * waits for all answers. Gives the seconds it took, and how many were not OK.
 */
export function putAll(client, items, { window = 5_000 } = {}) {
  const began = performance.now()
  const call = client.PutURLs()
  let sent = 0
  let answered = 0
  let refused = 0
  const more = () => {
    while (sent < items.length && sent - answered < window) {
      const isReady = call.write(items[sent])
      sent++
      if (!isReady) {
        call.once('drain', more)
        return
      }
    }
    if (sent === items.length) call.end()
  }
  return new Promise((resolve, reject) => {
    call.on('data', ({ status }) => {
      answered++
      if (status !== 0) refused++
      if (sent < items.length && sent - answered === window - 1) more()
    })
    call.on('end', () =>
      resolve({ seconds: (performance.now() - began) / 1000, refused, answered }),
    )
    call.on('error', reject)
    more()
  })
}

/** Addresses by the thousand in a message. */
export function putFound(client, batches) {
  const call = client.PutDiscovered()
  let open = batches.length
  return new Promise((resolve, reject) => {
    call.on('data', () => {
      open--
    })
    call.on('end', () => (open === 0 ? resolve() : reject(new Error(`${open} not answered`))))
    call.on('error', reject)
    const next = (at) => {
      if (at === batches.length) call.end()
      else if (call.write(batches[at]())) setImmediate(next, at + 1)
      else call.once('drain', () => next(at + 1))
    }
    next(0)
  })
}

/** Gives what came, and the milliseconds until the last of it. */
export function getAll(client, request) {
  const began = performance.now()
  const call = client.GetURLs(request)
  const found = []
  return new Promise((resolve, reject) => {
    call.on('data', (info) => found.push(info))
    call.on('end', () => resolve({ found, ms: performance.now() - began }))
    call.on('error', reject)
  })
}

/** A known item as StormCrawler sends it after a fetch. */
export function fetchedItem(at, { hosts, signature, now }) {
  const url = `http://host${at % hosts}.example.org/articles/${at}/some-longer-title-of-a-page.html`
  const metadata = {
    signature,
    signatureOld: signature,
    'fetch.statusCode': '200',
    lastProcessedDate: new Date(now * 1000).toISOString(),
    'protocol.etag': `"${at}"`,
    'last-modified': '2026-01-01T00:00:00Z',
    discoveryDate: '2026-01-01T00:00:00Z',
    'url.path': 'http://example.org/',
    depth: '1',
  }
  const lists = Object.entries(metadata).map(([name, value]) => [name, { values: [value] }])
  return {
    ID: `${url}-${at}`,
    known: {
      info: {
        url,
        key: `host${at % hosts}.example.org`,
        crawlID: 'DEFAULT',
        metadata: Object.fromEntries(lists),
      },
      refetchable_from_date: Math.floor(now) + 86_400,
    },
  }
}
