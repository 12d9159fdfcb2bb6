import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'

/**
 * A fetcher of your own, in plain Node without any package: Revisit decides
 * when a page is worth a visit, this script makes it.
 *
 *   revisit serve --no-crawl
 *   node fetcher.mjs [--server http://127.0.0.1:7400] [--visits 100]
 *
 * REVISIT_KEY holds the API key, where the server asks for one.
 */

const { values: options } = parseArgs({
  options: {
    server: { type: 'string', default: 'http://127.0.0.1:7400' },
    worker: { type: 'string', default: `example-${randomBytes(4).toString('hex')}` },
    /** Ends after so many visits; goes on for ever without it. */
    visits: { type: 'string', default: 'Infinity' },
    'lease-time': { type: 'string', default: '60' },
  },
})
const agent = 'RevisitExample/1.0 (+https://example.org/about-our-fetcher)'
const longestWait = 10_000
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
  if (!answer.ok)
    throw Object.assign(new Error(reported.error.message), { code: reported.error.code })
  return reported
}

/** What was found, in the form that POST /api/reports takes. */
async function visited(lease) {
  const { etag, lastModified } = lease.validators
  const conditional = lease.unconditional
    ? {}
    : {
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
        ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
      }
  try {
    const answer = await fetch(lease.url, {
      headers: { 'user-agent': agent, ...lease.headers, ...conditional },
      signal: AbortSignal.timeout(longestWait),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      bytes: bytes.length,
      body: bytes.toString('base64'),
    }
  } catch (error) {
    return { failure: error.name === 'TimeoutError' ? 'timeout' : 'connect' }
  }
}

const rules = new Map()

/**
 * Whether robots.txt lets everybody in here. Revisit tells it where it knows;
 * where it does not, asking is on us. This knows no wildcards: in earnest, use
 * a library.
 */
async function mayVisit({ url, robots }) {
  if (robots === 'allowed') return true
  const { origin, pathname, search } = new URL(url)
  if (!rules.has(origin)) rules.set(origin, await robotsRules(origin))
  const fits = rules.get(origin).filter(({ path }) => `${pathname}${search}`.startsWith(path))
  const [best] = fits.sort(
    (a, b) => b.path.length - a.path.length || Number(b.allow) - Number(a.allow),
  )
  return best?.allow ?? true
}

async function robotsRules(origin) {
  const file = await visited({
    url: `${origin}/robots.txt`,
    validators: {},
    headers: {},
    unconditional: true,
  })
  if (file.status !== 200) return []
  let [ours, naming] = [false, false]
  const found = []
  for (const line of Buffer.from(file.body, 'base64').toString().split(/\r?\n/)) {
    const [, field = '', value = ''] = /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line) ?? []
    const name = field.toLowerCase()
    if (name === 'user-agent') {
      ours = (naming && ours) || value.trim() === '*'
      naming = true
    } else naming = naming && name === ''
    if (ours && /^(dis)?allow$/.test(name) && value.trim() !== '')
      found.push({ path: value.trim(), allow: name === 'allow' })
  }
  return found
}

async function handle(lease) {
  // The host rests until then; asking sooner would be rude.
  await sleep(lease.notBefore * 1000 - Date.now())
  const began = Date.now()
  const found = (await mayVisit(lease)) ? await visited(lease) : { failure: 'robots' }
  const [at, duration] = [Date.now() / 1000, (Date.now() - began) / 1000]
  const { page, token } = lease
  try {
    const { outcome } = await ask('/api/reports', { page, token, at, duration, ...found })
    process.stdout.write(`${outcome} ${lease.url}\n`)
  } catch (error) {
    // Too slow: the page was given to another meanwhile, and its report counts.
    if (error.code !== 'lease-lost') throw error
    process.stdout.write(`lease-lost ${lease.url}\n`)
  }
}

for (let done = 0; done < Number(options.visits); ) {
  const limit = Math.min(10, Number(options.visits) - done)
  const { leases, next } = await ask('/api/leases', { worker: options.worker, limit, ttl })
  await Promise.all(leases.map(handle))
  done += leases.length
  if (leases.length > 0) continue
  const wait = next === null ? longestWait : next * 1000 - Date.now()
  await sleep(Math.min(longestWait, Math.max(50, wait)))
}
