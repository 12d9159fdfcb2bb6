import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { crawledSite } from '../../fixtures/crawled-site.js'

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

async function served(folder: string, args: readonly string[]) {
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', ...args], {
    cwd: folder,
    env: {
      ...process.env,
      REVISIT_DATABASE: join(folder, 'revisit.db'),
      REVISIT_ALLOWED_NETWORKS: '127.0.0.0/8',
      REVISIT_DELAY: '0',
      REVISIT_POLL_EVERY: '0',
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  const [address] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  const printed = String(address).trim()
  const base: string = args.includes('--json') ? JSON.parse(printed).address : printed
  const ask = async (path: string, body?: object, key?: string) => {
    const response = await fetch(base + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: await response.json() }
  }
  return { child, base, ask, errors: () => errors }
}

it('serves the API and visits what is added to it, until it is told to stop', async () => {
  const site = await crawledSite({ '/a': { body: '<p>hello' } })
  const { child, ask, errors } = await served(site.folder, [])
  const added = await ask('/api/pages', { pages: [{ url: `${site.base}/a` }] })
  expect(added.json).toMatchObject({ added: 1 })
  const until = Date.now() + 20_000
  for (;;) {
    const { json } = await ask('/api/visits')
    if (json.visits.length > 0) {
      expect(json.visits[0]).toMatchObject({ outcome: 'first', page: { url: `${site.base}/a` } })
      break
    }
    if (Date.now() > until) expect.fail(`no visit in 20 s\n${errors()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  // Without a contact no public page is taken: it would only fail.
  const open = await ask('/api/pages', { pages: [{ url: 'https://example.org/' }] })
  expect(open.json.refused).toMatchObject([{ code: 'no-contact' }])
  child.kill('SIGINT')
  expect((await once(child, 'exit'))[0]).toBe(0)
})

it('comes up again without a contact after a log of public pages: they fail alone, and it says so once', async () => {
  const site = await crawledSite({ '/a': { body: '<p>hello' } })
  const first = await served(site.folder, [])
  const imported = await fetch(`${first.base}/api/import/visits`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: '{"url":"http://example.org/","at":1700000000,"changed":true}\n',
  })
  expect(await imported.json()).toMatchObject({ newPages: 1, visits: 1 })
  first.child.kill('SIGINT')
  await once(first.child, 'exit')
  const second = await served(site.folder, ['--log-level', 'error'])
  await second.ask('/api/pages', { pages: [{ url: `${site.base}/a` }] })
  const outcomes = async () => {
    const { json } = await second.ask('/api/visits')
    const visits = json.visits as { outcome: string; fault: string; page: { url: string } }[]
    return Object.fromEntries(visits.map(({ page, ...visit }) => [page.url, visit]))
  }
  await expect.poll(outcomes, { timeout: 20_000 }).toMatchObject({
    'http://example.org/': { outcome: 'failed', fault: 'no-contact' },
    [`${site.base}/a`]: { outcome: 'first' },
  })
  expect(second.errors()).toMatch(/^http:\/\/example\.org\/ is on a public host.*--contact.*\n$/)
  second.child.kill('SIGINT')
  expect((await once(second.child, 'exit'))[0]).toBe(0)
})

it("counts what outside fetchers are given for the day's budget, also for those who come after it", async () => {
  const paths = ['/a', '/b', '/c', '/d']
  const site = await crawledSite(Object.fromEntries(paths.map((path) => [path, { body: path }])))
  await site.revisit(['watch', '--no-noise-check', ...paths.map((path) => site.base + path)])
  const budget = ['--requests-per-day', '3']
  const outside = ['--no-crawl', '--log-level', 'error', ...budget]
  const given = async ({ ask }: Awaited<ReturnType<typeof served>>, limit: number) => {
    const { json } = await ask('/api/leases', { worker: 'mine', limit, perHost: 4, ttl: 10 })
    return json.leases.length
  }
  const first = await served(site.folder, outside)
  expect(await given(first, 2)).toBe(2)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const second = await served(site.folder, outside)
  const third = await served(site.folder, outside)
  expect([await given(second, 2), await given(third, 2)]).toEqual([1, 0])
  const { json } = await third.ask('/api/leases', { worker: 'mine', limit: 1 })
  expect(json.next % 86_400).toBe(0)
  const run = await site.revisit(['run', '--once', ...budget])
  expect(run.err).toContain('requests-per-day')
  expect(site.requests).toEqual([])
})

it('asks for a key that revisit key has made, and makes no visits if told so', async () => {
  const site = await crawledSite()
  expect((await site.revisit(['key', 'list'])).out).toMatch(/^no keys; revisit key add NAME/)
  expect((await site.revisit(['key', 'list', '--json'])).out).toBe('[]\n')
  const key = (await site.revisit(['key', 'add', 'reader'])).out.trim()
  expect(key).toMatch(/^rv_/)
  expect((await site.revisit(['key', 'list'])).out).toMatch(/^reader {2}made /)
  const keys = JSON.parse((await site.revisit(['key', 'list', '--json'])).out)
  expect(keys).toEqual([{ name: 'reader', madeAt: expect.any(Number) }])
  const { child, ask } = await served(site.folder, [
    '--no-crawl',
    '--json',
    '--require-key',
    'true',
  ])
  expect(await ask('/api/pages')).toMatchObject({ status: 401 })
  expect(await ask('/api/status', undefined, key)).toMatchObject({
    status: 200,
    json: { loop: null },
  })
  expect((await site.revisit(['key', 'remove', 'reader'])).out).toBe('reader removed\n')
  await new Promise((resolve) => setTimeout(resolve, 1100))
  expect(await ask('/api/status', undefined, key)).toMatchObject({ status: 401 })
  child.kill('SIGTERM')
  expect((await once(child, 'exit'))[0]).toBe(0)
})

it('says what to do where it cannot listen', async () => {
  const site = await crawledSite()
  const { port } = new URL(site.base)
  const { code, err } = await site.revisit(['serve', '--port', port])
  expect(code).not.toBe(0)
  expect(err).toMatch(/cannot listen on 127\.0\.0\.1:\d+ \(EADDRINUSE\); choose others/)
})

it.each([['serve'], ['serve', '--demo']])('says where a port belongs: %s %s', async (...args) => {
  const site = await crawledSite()
  const { code, err } = await site.revisit([...args, '--listen', '127.0.0.1:0'])
  expect(code).not.toBe(0)
  expect(err).toMatch(/the port is given apart: --listen 127\.0\.0\.1 --port 0\n$/)
})
