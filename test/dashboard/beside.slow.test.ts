import { expect, it } from 'vitest'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { followsLoopback, served } from './served.js'

const open = openBrowser()

it('from an empty service to the demo, and from there back to one’s own pages', async () => {
  const address = await served([], followsLoopback(tempFolder()))
  const { page, faults } = await open(address)
  page.setDefaultTimeout(60_000)
  await page.getByRole('button', { name: 'See the demo' }).click()
  await page.getByText(/Ahead of a fixed schedule by|Not yet ahead of a fixed schedule/).waitFor()
  expect(new URL(page.url()).port).not.toBe(new URL(address).port)
  await page.getByRole('button', { name: 'Your own pages' }).click()
  await page.getByRole('heading', { name: 'Welcome to Revisit' }).waitFor()
  expect(new URL(page.url()).origin).toBe(address)
  expect(faults).toEqual([])
})

it('from the demo alone a service with one’s own pages is started', async () => {
  const address = await served(['--demo'], followsLoopback(tempFolder()))
  const { page } = await open(address)
  page.setDefaultTimeout(60_000)
  await page.getByRole('button', { name: 'Your own pages' }).click()
  await page.getByRole('heading', { name: 'Welcome to Revisit' }).waitFor()
  expect(new URL(page.url()).origin).not.toBe(address)
})
