import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import type { StoreStatus } from '../../../src/crawler/processes/store-status.js'
import { crawledSite } from '../../fixtures/crawled-site.js'

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

it('revisit worker visits until SIGTERM, and revisit status shows it', async () => {
  const site = await crawledSite()
  const { revisit } = site
  expect((await revisit(['status'])).code).toBe(3)
  const worker = spawn(process.execPath, [main, 'worker', '--verbose'], {
    env: { ...process.env, ...site.env },
  })
  onTestFinished(() => void worker.kill('SIGKILL'))
  const said = { out: '', err: '' }
  worker.stdout.setEncoding('utf8').on('data', (text) => {
    said.out += text
  })
  worker.stderr.setEncoding('utf8').on('data', (text) => {
    said.err += text
  })
  const ended = new Promise((resolve) => worker.once('close', resolve))
  const within = async (holds: () => boolean | Promise<boolean>) => {
    const end = performance.now() + 20_000
    while (!(await holds()) && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 50))
  }
  // It waits where nothing is watched yet.
  await within(() => said.err.includes('visits what is due'))
  expect((await revisit(['watch', `${site.base}/a`])).code).toBe(0)
  await within(() => said.out !== '')
  expect(said.out).toContain('/a')
  const status = JSON.parse((await revisit(['status', '--json'])).out) as StoreStatus
  expect(status).toMatchObject({ pages: 1, workers: [{ role: 'worker', alive: true }] })
  expect((await revisit(['status'])).out).toMatch(/1 page of 1 host; none due; .*\n.* worker /s)
  worker.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(said.err).toContain('worker ended after 1 visit')
  const after = JSON.parse((await revisit(['status', '--json'])).out) as StoreStatus
  expect(after).toMatchObject({ workers: [], chores: [], inFlight: 0 })
})
