import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ownPaths, ownSite } from './own-site.mjs'

/** The services whose views are looked at: the demo, an empty one, one with pages of one's own, and two that ask who is there. */

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const main = join(root, 'dist', 'cli', 'main.js')

/** Starts `revisit serve` as a person does: `{address, stop}`. */
export async function startService(args, env = {}) {
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', ...args], {
    env: { ...process.env, REVISIT_LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let reported = ''
  child.stderr.on('data', (chunk) => {
    reported += chunk
  })
  const address = await new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${reported}`)))
  })
  const stop = async () => {
    if (child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    // The second one ends it at once.
    const hurry = setTimeout(() => child.kill('SIGTERM'), 1000)
    await ended
    clearTimeout(hurry)
  }
  return { address, stop }
}

/** A service of the name that a scene gives: `{address, stop, ids}`, ids of one's own pages by their path. */
export async function serviceOf(name) {
  if (name === 'demo') return startService(['--demo'])
  const folder = mkdtempSync(join(tmpdir(), 'revisit-views-'))
  const env = {
    REVISIT_DATABASE: join(folder, 'revisit.db'),
    REVISIT_ALLOWED_NETWORKS: '127.0.0.0/8',
    REVISIT_NOTIFY_NETWORKS: '127.0.0.0/8',
    REVISIT_NOISE_WAIT: '0.01',
    REVISIT_DELAY: '0',
    REVISIT_POLL_EVERY: '0.2s',
    REVISIT_FIRST_BACKOFF: '5',
  }
  const closing = [() => rmSync(folder, { recursive: true, force: true })]
  const begun = await begin(name, { env, closing })
  const stop = async () => {
    await begun.stop()
    for (const close of closing) await close()
  }
  return { ...begun, stop }
}

async function begin(name, { env, closing }) {
  if (name === 'empty') return startService([], env)
  if (name === 'key') return startService([], { ...env, REVISIT_REQUIRE_KEY: 'true' })
  if (name === 'password') {
    const setting = promisify(execFile)(process.execPath, [main, 'password', 'set'], {
      env: { ...process.env, ...env },
    })
    setting.child.stdin.end('correct horse battery staple\n')
    await setting
    return startService([], { ...env, REVISIT_REQUIRE_KEY: 'true' })
  }
  const service = await startService([], env)
  return { ...service, ids: await withOwnPages(service.address, closing) }
}

/** Ten pages of one's own with some days' work done on them, two channels of which one fails, and a rule. */
async function withOwnPages(address, closing) {
  const site = await ownSite()
  // A host that answers 500 rests with all of its pages: it is one of its own.
  const broken = await ownSite()
  const hook = createServer((request, response) => {
    response.writeHead(request.url === '/fails' ? 500 : 200).end('ok')
  })
  await new Promise((resolve) => hook.listen(0, '127.0.0.1', resolve))
  closing.push(site.close, broken.close, () => void hook.close())
  const hooks = `http://127.0.0.1:${hook.address().port}`
  const ask = async (method, path, body) => {
    const answer = await fetch(`${address}/api/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return answer.status === 204 ? null : answer.json()
  }
  for (const [name, url] of [
    ['Team', `${hooks}/team`],
    ['Old hook', `${hooks}/fails`],
  ])
    await ask('POST', 'channels', { name, target: { kind: 'webhook', url } })
  const pages = ownPaths.map((path) => ({
    url: `${(path === 'broken' ? broken : site).address}/${path}`,
    ...(path.startsWith('news') || path === 'terms' ? { tags: ['harbour'] } : {}),
  }))
  await ask('POST', 'pages', { pages })
  const all = (await ask('GET', 'pages')).pages
  const ids = ownPaths.map((path) => all.find(({ url }) => url.endsWith(`/${path}`)).id)
  const visits = async () =>
    Promise.all(ids.map(async (id) => (await ask('GET', `pages/${id}`)).visits))
  await until(async () => (await visits()).every((each) => each > 0))
  for (site.edition = 2; site.edition <= 5; site.edition++) {
    const before = await visits()
    const asked = ids.slice(0, 6)
    const at = Date.now() / 1000
    for (const id of asked)
      await ask('PATCH', `pages/${id}`, { due: { at, reason: 'asked for by hand' } })
    await until(async () => (await visits()).slice(0, 6).every((each, i) => each > before[i]))
    await wait(1100)
  }
  return new Map(ownPaths.map((path, i) => [path, ids[i]]))
}

async function until(done) {
  const end = Date.now() + 60_000
  while (!(await done())) {
    if (Date.now() > end) throw new Error('it took more than a minute')
    await wait(100)
  }
}
