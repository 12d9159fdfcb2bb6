import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { runCli } from '../fixtures/run-cli.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { WatchedPages } from '../notify/watched-pages.js'
import { openBrowser } from './browser.js'
import { followsLoopback, served } from './served.js'

const open = openBrowser()
const url = 'https://a.example/'
const day = 86_400

describe('what views say where there is little to show', () => {
  it('no page is watched any more, where the past of all is kept', async () => {
    const env = { ...followsLoopback(tempFolder()), REVISIT_POLICY: 'auto' }
    for (const args of [
      ['watch', url, `${url}b`],
      ['unwatch', '--all', '--keep'],
    ])
      expect((await runCli(args, { env })).code).toBe(0)
    const address = await served(['--no-crawl'], env)
    const { page, faults } = await open(`${address}/#/budget`)
    await page.getByText('No page is watched any more.').waitFor()
    await page.getByText('2 pages are kept with what was seen of them.').waitFor()
    expect(faults).toEqual([])
  })

  it('nothing of pages before it is known whether there are any', async () => {
    const env = followsLoopback(tempFolder())
    expect((await runCli(['watch', url], { env })).code).toBe(0)
    const address = await served(['--no-crawl'], env)
    const { page, faults } = await open(`${address}/#/hosts`)
    let go = () => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    await page.route('**/api/overview', async (route) => {
      await held
      await route.continue().catch(() => {})
    })
    await page.goto(`${address}/#/inbox`)
    const changes = page.waitForResponse(/\/api\/changes\?/)
    await page.reload()
    await changes
    await page.getByText('Loading changes').waitFor()
    expect(await page.getByText('No page is followed yet.').count()).toBe(0)
    go()
    await page.getByText('1 page is followed.').waitFor()
    expect(faults).toEqual([])
  })

  it('what a fixed schedule would do, once pages have been visited for a day, however long ago that began', async () => {
    const folder = tempFolder()
    const store = await openSqliteStore({ path: join(folder, 'revisit.db') })
    const pages = new WatchedPages(store)
    await pages.add(url)
    const now = Date.now() / 1000
    await pages.visit(url, { at: now - 20 * day, outcome: 'first', text: 'one' })
    await pages.visit(url, { at: now - 60, outcome: 'changed', text: 'two', gap: 20 * day - 60 })
    await store.close()
    const address = await served(['--no-crawl'], followsLoopback(folder))
    const { page, faults } = await open(`${address}/#/overview`)
    await page.locator('.tile dt', { hasText: /fixed schedule/ }).waitFor()
    expect(faults).toEqual([])
  })
})
