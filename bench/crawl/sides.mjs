import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Agent } from 'undici'
import { requestHeaders } from '../../dist/fetch/http-request.js'
import { userAgent } from '../../dist/formats/index.js'

/**
 * What the benches of the loop share: the server, the bare loop of undici that
 * all is compared with, and how turns are counted.
 */

export const hosts = 50
export const pages = 200

/** Turns that count, after one that does not. */
export const rounds = 21

/** A server of so many hosts and pages, in a process of its own. */
export async function startServer() {
  const script = fileURLToPath(new URL('server.mjs', import.meta.url))
  const child = fork(script, [String(hosts), String(pages)])
  const adjusted = () => new Promise((resolve) => child.once('message', resolve))
  const { ports } = await adjusted()
  return {
    bases: ports.map((port) => `http://127.0.0.1:${port}`),
    async serve(what) {
      child.send(what)
      await adjusted()
    },
    pid: child.pid,
    close: () => child.kill(),
  }
}

/** The ETag of a page as the server gives it. */
export function etagOf({ site, page, generation }) {
  return `"${site}-${page}-${page % 2 === 0 ? generation : 0}"`
}

/** What a visit of Revisit says of itself, and of what it takes. */
export const sentHeaders = requestHeaders(
  { url: '' },
  { agent: userAgent({ contact: 'bench@localhost', version: '0' }), own: false },
)

/**
 * As the loop does it: one connection a host, one request at a time on each;
 * the bodies are read and left. `sent` goes with each request.
 */
export async function bareLoop(bases, { reported, generation, sent = {} }) {
  const agent = new Agent({ connections: 1, pipelining: 1 })
  await Promise.all(
    bases.map(async (origin, site) => {
      for (let page = 0; page < pages; page++) {
        const tag = reported ? { 'if-none-match': etagOf({ site, page, generation }) } : {}
        const headers = { ...sent, ...tag }
        const path = `/page/${page}`
        const { statusCode, body } = await agent.request({ origin, path, method: 'GET', headers })
        await body.arrayBuffer()
        if (statusCode !== (reported ? 304 : 200))
          throw new Error(`${origin}${path}: ${statusCode}`)
      }
    }),
  )
  await agent.close()
}

/** Seconds that the work took, and what came of it. */
export async function measured(work) {
  const begun = performance.now()
  const result = await work()
  return { seconds: (performance.now() - begun) / 1000, result }
}

export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]
}
