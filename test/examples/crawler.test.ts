import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { localServer } from '../fixtures/local-server.js'
import { tempFolder } from '../fixtures/temp-folder.js'

const run = promisify(execFile)

// The built package by its name, as whoever installs it has it.
it('the example of a crawler visits a page politely, plans the next visit, and goes on from its store', async () => {
  const asked: string[] = []
  const base = await localServer((request, response) => {
    asked.push(`${request.url} ${request.headers['user-agent']}`)
    if (request.url === '/robots.txt') return response.writeHead(404).end()
    return response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>')
  })
  const cwd = tempFolder()
  const crawl = async () => {
    const args = [resolve('examples/crawler/crawl.mjs'), 'me@example.org', `${base}/page`]
    const env = { ...process.env, ALLOWED_NETWORKS: '127.0.0.0/8' }
    return (await run(process.execPath, args, { cwd, env })).stdout
  }
  expect(await crawl()).toMatch(new RegExp(`^first  ${base}/page  next \\d{4}-.*Z: new; .*\n$`))
  expect(asked).toEqual([
    expect.stringMatching(/^\/robots\.txt Revisit\/\d+\.\d+\.\d+ \(\+me@example\.org\)$/),
    expect.stringMatching(/^\/page Revisit/),
  ])
  expect(await crawl()).toBe('')
  expect(asked).toHaveLength(2)
  const store = await openSqliteStore({ path: join(cwd, 'pages.db'), readOnly: true })
  const { visits } = await store.listVisits({ collection: 'default', limit: 10 })
  expect(visits).toMatchObject([{ url: `${base}/page`, outcome: 'first', status: 200 }])
  await store.close()
})
