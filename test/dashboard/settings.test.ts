import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { followsLoopback, served } from './served.js'

const open = openBrowser()
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** Hours of a day that is not today, so that no public page is visited. */
function anotherDay(): string {
  const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
  return `${days[(new Date().getUTCDay() + 3) % 7]} 3-4`
}

describe('settings in the browser', () => {
  it('are changed while the service runs, show where they come from, and go back', async () => {
    const env = followsLoopback(tempFolder())
    const address = await served([], { ...env, REVISIT_DELAY: '7s' })
    const { page, faults } = await open(`${address}/#/settings`)
    const delay = page.getByLabel('Delay', { exact: true })
    await page.getByText(/By REVISIT_DELAY of the environment\./).waitFor()
    expect(await delay.inputValue()).toBe('7s')
    await delay.fill('whenever')
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await page.getByText(/delay takes a duration/).waitFor()
    await delay.fill('20s')
    await page.getByLabel('Contact', { exact: true }).fill('me@example.org')
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByText(/over 7s by REVISIT_DELAY of the environment/).waitFor()
    // Another process on the store goes by it at once.
    const { stdout } = await promisify(execFile)(process.execPath, [main, 'config', '--json'], {
      env: { ...process.env, ...env, REVISIT_DELAY: '7s' },
    })
    expect(JSON.parse(stdout)).toMatchObject({
      delay: { value: 20, from: 'set while running' },
      contact: { value: 'me@example.org' },
    })
    await page.getByRole('button', { name: 'Back to 7s' }).click()
    await page.getByText(/By REVISIT_DELAY of the environment\./).waitFor()
    expect(await delay.inputValue()).toBe('7s')
    expect(faults).toEqual([])
  })

  it('ask for a contact when the first public page is added, and then add it', async () => {
    const address = await served([], {
      ...followsLoopback(tempFolder()),
      REVISIT_HOURS: anotherDay(),
    })
    const { page, faults } = await open(`${address}/#/pages?add=1`)
    await page.getByLabel('Addresses, one a line').fill('example.org/news')
    await page.getByRole('button', { name: 'Add 1 page' }).click()
    const contact = page.getByLabel('Your e-mail or web address')
    await contact.fill('nobody')
    await page.getByRole('button', { name: 'Set it and add them' }).click()
    await page.getByText(/is no contact/).waitFor()
    await contact.fill('me@example.org')
    await contact.press('Enter')
    await page.getByText('1 page added.').waitFor()
    expect(await contact.count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('let a person set a password, and sign in with it from elsewhere', async () => {
    const env = { ...followsLoopback(tempFolder()), REVISIT_REQUIRE_KEY: 'true' }
    const set = promisify(execFile)(process.execPath, [main, 'password', 'set'], {
      env: { ...process.env, ...env },
    })
    set.child.stdin!.end('a long password\n')
    expect((await set).stdout).toBe('the password is set\n')
    const address = await served([], env)
    const { page, faults } = await open(`${address}/#/settings`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Password').fill('another password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('this is not the password').waitFor()
    await page.getByLabel('Password').fill('a long password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Current password').fill('a long password')
    await page.getByLabel(/^New password/).fill('an even longer password')
    await page.getByRole('button', { name: 'Set the password' }).click()
    // Every browser that signed in with the former one is signed out.
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Password').fill('an even longer password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    expect(faults).toEqual([])
  })
})
