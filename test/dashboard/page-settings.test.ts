import { describe, expect, it } from 'vitest'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { changingSite, followsLoopback, served } from './served.js'

const open = openBrowser()

describe('the settings of a page, in the browser', () => {
  it('are all seen, set and cleared, and what will be compared is previewed', async () => {
    const html = '<title>Shop</title><p id="price">Price: 10 euros</p><p class="ad">Buy hats</p>'
    const site = await changingSite({ '/shop': html })
    const address = await served([], followsLoopback(tempFolder()))
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ pages: [{ url: `${site}/shop` }] })
    await fetch(`${address}/api/pages`, { method: 'POST', headers, body })
    const known = async () => (await (await fetch(`${address}/api/pages/1`)).json()) as object
    const { page, faults } = await open(`${address}/#/pages/1/settings`)

    const texts = {
      'Only these parts': '#price',
      'Without these parts': '.ad\n.teaser',
      'Without lines that match': '^Seen at',
      'Without text that matches': '\\d+ visitors',
      'Without paths of JSON': '$..updated',
      'Bits that may differ': '5',
      'Only when one of these appears': 'sale',
      'or one of these disappears': 'sold out',
      'Only in these hours, in UTC': 'mon-fri 8-18',
      'Never again sooner than': '30min',
      'Never left longer than': '2d',
      'A policy of its own': 'fixed:gap=1h',
      'Importance beside other pages': '2.5',
      'A title of your own': 'My lamp',
      'A proxy of its own': 'socks5://me:word@127.0.0.1:1',
      Group: 'shops',
      Tags: 'prices, mine',
      'Links one after another': '1',
      'Only addresses like': '/docs/*',
    }
    await page.getByLabel('Only these parts').waitFor()
    for (const [label, text] of Object.entries(texts)) await page.getByLabel(label).fill(text)
    const choices = {
      'Compared by': 'words-and-links',
      'Check twice to tell noise from change': 'no',
      'Visited for': 'delay',
      'Let a browser render it': 'no',
      'Follow them too': 'yes',
      'Notify nobody of it': 'yes',
      'Keep screenshots': 'yes',
      'Hide new texts too': 'yes',
    }
    await page.getByLabel('New headers in place of all').fill('Cookie a=b')
    await page.getByRole('button', { name: 'Set these headers' }).click()
    await page.getByText('Headers are written Name: value; “Cookie a=b” is not.').waitFor()
    await page.getByLabel('New headers in place of all').fill('Cookie: a=b')
    await page.getByRole('button', { name: 'Set these headers' }).click()
    await page.getByText(/Sent to its own site: cookie/).waitFor()

    // By the rules in the form, before they are saved.
    await page.getByLabel('Only when one of these appears').fill('')
    await page.getByLabel('or one of these disappears').fill('')
    await page.getByRole('button', { name: 'Preview: fetch it now' }).click()
    await page.getByText('This text will be compared').waitFor()
    expect((await page.locator('.compared-text').innerText()).trim()).toBe('Price: 10 euros')
    for (const [label, choice] of Object.entries(choices))
      await page.getByLabel(label).selectOption(choice)
    await page.getByLabel('Only when one of these appears').fill('sale')
    await page.getByLabel('or one of these disappears').fill('sold out')

    await page.getByRole('button', { name: 'Save the settings' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await known()).toMatchObject({
      title: 'My lamp',
      group: 'shops',
      tags: ['prices', 'mine'],
      importance: 2.5,
      settings: {
        reading: {
          select: ['#price'],
          ignore: ['.ad', '.teaser'],
          ignoreLines: ['^Seen at'],
          ignoreText: ['\\d+ visitors'],
          ignorePaths: ['$..updated'],
          compare: 'words-and-links',
          bits: 5,
          appear: ['sale'],
          disappear: ['sold out'],
        },
        hours: 'mon-fri 8-18',
        shortest: 1800,
        longest: 172_800,
        policy: 'fixed:gap=1h',
        objective: 'delay',
        noiseCheck: false,
        browser: false,
        title: 'My lamp',
        proxy: 'socks5://me:(not shown)@127.0.0.1:1',
        mute: true,
        screenshot: true,
        hideNewTexts: true,
        headers: { cookie: '(not shown)' },
        discover: { depth: 1, include: ['/docs/*'] },
      },
    })

    await page.reload()
    await expect.poll(() => page.getByLabel('Never left longer than').inputValue()).toBe('2 days')
    expect(await page.getByLabel('Without these parts').inputValue()).toBe('.ad\n.teaser')
    for (const label of Object.keys(texts)) await page.getByLabel(label).fill('')
    for (const label of Object.keys(choices)) await page.getByLabel(label).selectOption('')
    await page.getByRole('button', { name: 'Send none' }).click()
    await page.getByText('No header of its own is sent.').waitFor()
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await page.getByText('Saved.').waitFor()
    const after = (await known()) as { group?: string; tags: string[]; settings: object }
    expect(after.settings).toEqual({})
    expect([after.group, after.tags]).toEqual([undefined, []])

    // What is wrong is said, and nothing is saved.
    await page.getByLabel('Never left longer than').fill('soon')
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await page.getByText(/write a number and a unit/).waitFor()
    await page.getByLabel('Never left longer than').fill('')
    await page.getByLabel('Only these parts').fill('p[')
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await page.getByRole('alert').getByText(/p\[/).waitFor()
    expect(((await known()) as { settings: object }).settings).toEqual({})

    // What is not saved is there again after a look at another view, until it is taken back.
    await page.getByRole('link', { name: 'Last change' }).click()
    await page.goBack()
    await expect.poll(() => page.getByLabel('Only these parts').inputValue()).toBe('p[')
    await page.getByRole('button', { name: 'Take back what is not saved' }).click()
    await expect.poll(() => page.getByLabel('Only these parts').inputValue()).toBe('')
    expect(faults).toEqual([])
  })
})
