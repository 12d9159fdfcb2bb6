import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { followsLoopback, served } from './served.js'

const open = openBrowser()
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

describe('a service that asks for a key', () => {
  it('is opened with it, and closed again by logging out', async () => {
    const env = followsLoopback(tempFolder())
    const made = await promisify(execFile)(process.execPath, [main, 'key', 'add', 'mine'], {
      env: { ...process.env, ...env },
    })
    const key = /rv_[\w-]+/.exec(made.stdout)![0]
    const address = await served([], { ...env, REVISIT_REQUIRE_KEY: 'true' })
    const { page, faults } = await open(`${address}/`)

    await page.getByRole('heading', { name: 'This service asks for a key' }).waitFor()
    // It is there, and answers.
    await page.getByText('not signed in').waitFor()
    expect(await page.getByRole('button', { name: 'Log out' }).count()).toBe(0)
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('heading', { name: 'Welcome to Revisit' }).waitFor()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'This service asks for a key' }).waitFor()
    expect(await page.evaluate(() => fetch('./api/overview').then(({ status }) => status))).toBe(
      401,
    )
    expect(faults).toEqual([])
  })

  it('has nobody to log out where no key is in use', async () => {
    const address = await served([], followsLoopback(tempFolder()))
    const { page } = await open(`${address}/`)
    await page.getByRole('heading', { name: 'Welcome to Revisit' }).waitFor()
    expect(await page.getByRole('button', { name: 'Log out' }).count()).toBe(0)
  })
})
