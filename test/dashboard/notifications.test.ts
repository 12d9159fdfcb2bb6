import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { followsLoopback, served } from './served.js'

const open = openBrowser()

describe('notifications', () => {
  it('are set up, tried and removed by hand', async () => {
    const received: string[] = []
    const server = createServer((request, response) => {
      received.push(`${request.method} ${request.url}`)
      request.resume().on('end', () => response.end())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    const env = { ...followsLoopback(tempFolder()), REVISIT_NOTIFY_NETWORKS: '127.0.0.0/8' }
    const address = await served([], env)
    const { page, faults, agree } = await open(`${address}/#/notifications`)

    await page.getByLabel('Through').selectOption('webhook')
    await page.getByLabel('Name').fill('<b>mine</b>')
    await page
      .getByLabel(/^Address/)
      .first()
      .fill(hook)
    await page.getByText('Words of the message').click()
    await page.getByLabel('Title', { exact: true }).fill('{{title}} <script>alert(1)</script>')
    await page.getByRole('button', { name: 'Preview the message' }).click()
    await page.locator('.message-preview').getByText('<script>alert(1)</script>').waitFor()
    await page.getByText('Only some changes').click()
    await page.getByLabel('Only if one of these words appears').fill('price, sale')
    await page.getByLabel('Only if the price is below').fill('12.50')
    await page.getByLabel('Only if the price changed by more than').fill('5')
    await page.getByLabel('Only if it came in or went out of stock').fill('yes')
    await page.getByRole('button', { name: 'Add the channel' }).click()
    await page.getByText('write in or out').waitFor()
    await page.getByLabel('Only if it came in or went out of stock').fill('')
    // As shops and people write them.
    await page.getByLabel('Only if the price is below').fill('1.250,00')
    await page.getByLabel('Only if the price changed by more than').fill('5%')
    await page.getByLabel('Not these groups or tags').fill('law')
    await page.getByText('When it is sent').click()
    await page.getByLabel('Quiet hours').fill('22:00-07:00')
    await page.getByRole('button', { name: 'Add the channel' }).click()
    await page.getByRole('heading', { name: '<b>mine</b>' }).waitFor()
    await page
      .getByText(
        /changed or gone, not in law, where “price” or “sale” appears, priced below 1250, with a price changed by more than 5%. Sent not in the quiet hours 22:00-07:00 \(UTC\). In words of your own./,
      )
      .waitFor()
    await page.getByText(/Its secret, shown only now: /).waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The test was sent.').waitFor()
    expect(received).toEqual(['POST /hook'])

    // Changed by hand: what is not touched stays, its secrets too.
    await page.getByRole('button', { name: 'Change …' }).click()
    const form = page.locator('.channel-form').first()
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('<b>mine</b>')
    await form.getByLabel('Name').fill('my hook')
    await form.getByText('Only some changes').click()
    await form.getByLabel('Only if the price is below').fill('')
    await form.getByRole('button', { name: 'Save the channel' }).click()
    await page.getByRole('heading', { name: 'my hook' }).waitFor()
    await page.getByText(/where “price” or “sale” appears, with a price changed/).waitFor()
    await page.getByText(/Sent not in the quiet hours 22:00-07:00/).waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The test was sent.').waitFor()
    expect(received).toEqual(['POST /hook', 'POST /hook'])

    agree()
    await page.getByRole('button', { name: 'Remove …' }).click()
    await page.getByText('Nobody is notified of changes yet.').waitFor()
    expect(faults).toEqual([])
  })
})
