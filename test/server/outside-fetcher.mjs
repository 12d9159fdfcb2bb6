/**
 * A fetcher of somebody else, as simple as one can be: leases, fetches after
 * the time it is told, reports. With `hold` it fetches its first page, reports
 * nothing and waits to be killed.
 *
 *   node outside-fetcher.mjs BASE WORKER LIMIT TTL [hold]
 */
const [, , base, worker, limit, ttl, hold] = process.argv

async function post(path, body) {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

for (;;) {
  const { leases } = await post('/api/leases', { worker, limit: Number(limit), ttl: Number(ttl) })
  process.stdout.write(`leased ${leases.length}\n`)
  if (leases.length === 0) await pause(0.05)
  for (const { page, url, token, notBefore, expiresAt } of leases) {
    await pause(Math.max(0, notBefore - Date.now() / 1000))
    const response = await fetch(url)
    const text = await response.text()
    if (hold !== undefined) {
      process.stdout.write(`holding until ${expiresAt}\n`)
      await pause(60)
    }
    await post('/api/reports', {
      page,
      token,
      status: response.status,
      text,
      at: Date.now() / 1000,
    })
  }
}
