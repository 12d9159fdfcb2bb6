import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Starts the built `revisit serve` as a person does; gives its address. Ended with the test, or by whoever is `ending` it. */
export async function served(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  ending: (end: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  const main = join(root, 'dist', 'cli', 'main.js')
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', ...args], {
    env: { ...process.env, REVISIT_LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  ending(async () => {
    if (child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    // The second one ends it at once.
    const hurry = setTimeout(() => child.kill('SIGTERM'), 1000)
    await ended
    clearTimeout(hurry)
  })
  let reported = ''
  child.stderr.on('data', (chunk) => {
    reported += chunk
  })
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${reported}`)))
  })
}

/** Follows pages on loopback without rest, each again after a second. */
export function followsLoopback(folder: string): Record<string, string> {
  return {
    REVISIT_DATABASE: join(folder, 'revisit.db'),
    REVISIT_ALLOWED_NETWORKS: '127.0.0.0/8',
    REVISIT_DELAY: '0',
    REVISIT_POLL_EVERY: '0.2s',
    REVISIT_POLICY: 'fixed:gap=1s',
  }
}

/** A site whose pages can be changed while it is looked at. */
export async function changingSite(pages: Record<string, string>): Promise<string> {
  const server: Server = createServer((request, response) => {
    const body = pages[decodeURIComponent(request.url ?? '')]
    if (body === undefined) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
