import { spawn } from 'node:child_process'
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { localServer } from '../../fixtures/local-server.js'
import { runCli } from '../../fixtures/run-cli.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

/** A program at work on a site whose pages are due again and again, each answer held until `let` is called. */
async function atWork(command: readonly string[]) {
  const held: (() => void)[] = []
  let asked = () => {}
  const reached = new Promise<void>((resolve) => {
    asked = resolve
  })
  const base = await localServer((request, response) => {
    if (request.url === '/robots.txt') return response.writeHead(404).end()
    held.push(() => response.end('hello'))
    asked()
  })
  const folder = tempFolder()
  const path = join(folder, 'revisit.db')
  const env = {
    REVISIT_DATABASE: path,
    REVISIT_ALLOWED_NETWORKS: '127.0.0.0/8',
    REVISIT_DELAY: '0',
  }
  await runCli(['watch', `${base}/a`, '--no-noise-check'], { env })
  const child = spawn(process.execPath, [main, ...command], { env: { ...process.env, ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  let err = ''
  child.stderr.on('data', (text) => {
    err += text
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await reached
  const answer = () => held.splice(0).map((each) => each())
  return { folder, path, answer, child, ended, err: () => err }
}

function remove(folder: string): void {
  for (const name of readdirSync(folder))
    if (name.startsWith('revisit.db')) rmSync(join(folder, name))
}

describe('a store that is deleted while it is in use', () => {
  it.each([['run'], ['serve', '--port', '0']])(
    'ends %s with an error that says so',
    async (...command) => {
      const { folder, path, answer, ended, err } = await atWork(command)
      remove(folder)
      answer()
      expect(await ended).toBe(3)
      expect(err()).toContain(`${path} was deleted or moved away while it was in use`)
      expect(err()).toMatch(/what was recorded since then is lost.*revisit restore/)
      expect(err()).not.toMatch(/^\s+at /m)
    },
    30_000,
  )

  it('is noticed at the end too, where nothing was written since', async () => {
    const { folder, child, answer, ended, err } = await atWork(['run'])
    answer()
    await new Promise((resolve) => setTimeout(resolve, 1500))
    remove(folder)
    child.kill('SIGINT')
    expect(await ended).toBe(3)
    expect(err()).toContain('was deleted or moved away')
  }, 30_000)

  it('is told from one that was replaced, and nothing is written to either', async () => {
    const path = join(tempFolder(), 'revisit.db')
    const store = await openSqliteStore({ path })
    await store.addPages({ collection: 'a', now: 1, pages: [{ url: 'https://a.example/' }] })
    renameSync(path, `${path}.old`)
    writeFileSync(path, '')
    const adding = store.addPages({
      collection: 'a',
      now: 1,
      pages: [{ url: 'https://b.example/' }],
    })
    await expect(adding).rejects.toMatchObject({
      code: 'store-gone',
      message: expect.stringContaining('was replaced by another file'),
    })
    await expect(store.close()).rejects.toMatchObject({ code: 'store-gone' })
    await store.close()
  })
})
