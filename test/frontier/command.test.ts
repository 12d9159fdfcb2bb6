import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { runCli } from '../fixtures/run-cli.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { all, discovered, known, put, wireClient } from './wire-client.js'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

it('revisit frontier serves crawlers, dashboard and metrics on one store, and ends when asked to', async () => {
  const folder = tempFolder()
  const database = join(folder, 'a.db')
  const args = ['--database', database, '--grpc', '0.0.0.0:0', '--port', '0', '--json']
  const child = spawn(process.execPath, [main, 'frontier', ...args], { cwd: folder })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  const found: { address?: string; frontier?: string } = {}
  for await (const line of createInterface({ input: child.stdout })) {
    Object.assign(found, JSON.parse(line))
    if (found.address !== undefined && found.frontier !== undefined) break
  }
  expect(said).toContain('its API knows no keys')

  const client = wireClient(found.frontier!.replace('0.0.0.0', '127.0.0.1'))
  const url = 'http://a.org/page'
  await put(client, [discovered(url)])
  expect(await all(client.getURLs({}))).toHaveLength(1)
  const metadata = { 'fetch.statusCode': '200', signature: 's' }
  await put(client, [known(url, 0x7fffffff, { metadata })])

  const metrics = await (await fetch(`${found.address}/metrics`)).text()
  expect(metrics).toContain('revisit_frontier_visits_total{outcome="first"} 1')
  expect(metrics).toContain('revisit_pages 1')
  const named = ['--database', database, '--collection', 'DEFAULT']
  const [list, show, status] = await Promise.all([
    runCli(['list', ...named]),
    runCli(['show', url, ...named]),
    runCli(['status', ...named]),
  ])
  expect(list.out).toContain(url)
  expect(show.out).toMatch(/because\s+\S/)
  expect(status.out).toContain(`frontier ${found.frontier}`)

  // By the address as it was sent, in a queue of another name than its host's.
  const odd = 'HTTP://B.org:80/x?utm_source=mail#top'
  await put(client, [
    discovered(odd, { key: 'b-domain' }),
    discovered(`${odd}2`, { key: 'b-domain' }),
  ])
  const kept = await runCli(['unwatch', `${odd}2`, '--keep', ...named])
  expect(kept.out).toContain('no longer visited')
  const gone = await runCli(['unwatch', odd, url, ...named])
  expect(gone.out).toBe('2 pages with 1 visit forgotten\n')
  const left = await all(client.listURLs({}))
  expect(left.map(({ item }) => item.value!.info.url)).toEqual([`${odd}2`])
  const unknown = await runCli(['unwatch', odd, ...named])
  expect(unknown.err).toContain('is not watched in collection "DEFAULT"')

  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([0, null])
}, 60_000)

it('revisit frontier ends also where it is asked to while it opens', async () => {
  const folder = tempFolder()
  const asOftenAsHeard =
    'process.on("newListener", (event) => event === "SIGTERM" && setImmediate(() => process.kill(process.pid, event)))'
  const asked = ['--import', `data:text/javascript,${encodeURIComponent(asOftenAsHeard)}`]
  const args = ['--database', join(folder, 'a.db'), '--grpc', '0', '--port', '0']
  const child = spawn(process.execPath, [...asked, main, 'frontier', ...args], { cwd: folder })
  onTestFinished(() => void child.kill('SIGKILL'))
  expect(await once(child, 'close')).toEqual([0, null])
}, 60_000)

it('revisit frontier says what is wrong with its options', async () => {
  const folder = tempFolder()
  const refused = async (...args: string[]) => {
    const { code, err } = await runCli(['frontier', ...args], { cwd: folder })
    return `${code} ${err}`
  }
  const answers = await Promise.all([
    refused('--grpc', 'nonsense'),
    refused('--schedule', 'mine'),
    refused('--grpc', '203.0.113.1:7071', '--no-http'),
  ])
  expect(answers[0]).toContain('2 revisit: --grpc takes an address and a port')
  expect(answers[1]).toContain('2 revisit: --schedule takes auto, client; got "mine"')
  expect(answers[2]).toMatch(/^3 [\s\S]*cannot listen on 203\.0\.113\.1:7071; choose another/)
}, 60_000)
