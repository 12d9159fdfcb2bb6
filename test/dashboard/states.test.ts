import { describe, expect, it } from 'vitest'
import { runCli } from '../fixtures/run-cli.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { followsLoopback, served } from './served.js'

const open = openBrowser()
const url = 'https://a.example/'

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
})
