import { createHash } from 'node:crypto'
import { clientOf, getAll, knownItem, putStream } from './client.mjs'

/**
 * A crawler that speaks URLFrontier alone, with the metadata of StormCrawler:
 * it asks for addresses, fetches them as they come, conditionally where it was
 * given validators, and reports status, signature and validators. Its own date
 * is a day ahead, as StormCrawler's is by default.
 */
export async function fetchUntil({
  address,
  signal,
  buckets = 100,
  pause = 200,
  onVisit = () => {},
}) {
  const client = clientOf(address)
  const stream = putStream(client)
  const request = { max_queues: buckets, max_urls_per_queue: 1, delay_requestable: 120 }
  const underWay = new Set()
  while (!signal.aborted) {
    const { found } = await getAll(client, request)
    for (const info of found) {
      const visit = fetched(info).then(async (item) => {
        await stream.put(item)
        onVisit(info)
      })
      underWay.add(visit)
      visit.finally(() => underWay.delete(visit))
    }
    if (found.length === 0) await new Promise((resolve) => setTimeout(resolve, pause))
  }
  await Promise.allSettled(underWay)
  stream.end()
  client.close()
}

/** The known item that follows from a fetch. */
async function fetched({ url, key, metadata = {} }) {
  const kept = Object.fromEntries(
    Object.entries(metadata).map(([name, { values = [] }]) => [name, values[0] ?? '']),
  )
  const { 'fetch.error.count': errors = '0', ...others } = kept
  const date = Math.floor(Date.now() / 1000) + 86_400
  const headers = { 'user-agent': 'revisit-stand-in' }
  if (kept['protocol.etag']) headers['if-none-match'] = kept['protocol.etag']
  if (kept['last-modified'])
    headers['if-modified-since'] = new Date(kept['last-modified']).toUTCString()
  try {
    const answer = await fetch(url, { headers, redirect: 'manual' })
    const body = Buffer.from(await answer.arrayBuffer())
    const sent = {
      ...others,
      'fetch.statusCode': String(answer.status),
      lastProcessedDate: new Date().toISOString(),
    }
    for (const name of ['etag', 'last-modified', 'retry-after'])
      if (answer.headers.has(name)) sent[`protocol.${name}`] = answer.headers.get(name)
    if (answer.status === 200) sent.signature = createHash('md5').update(body).digest('hex')
    if (answer.headers.has('location')) sent._redirTo = answer.headers.get('location')
    return knownItem(url, key, date, sent)
  } catch {
    return knownItem(url, key, date, {
      ...kept,
      'fetch.error.count': String(Number(errors) + 1),
      lastProcessedDate: new Date().toISOString(),
    })
  }
}
