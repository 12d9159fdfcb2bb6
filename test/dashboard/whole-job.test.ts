import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { localServer } from '../fixtures/local-server.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { followsLoopback, served } from './served.js'

const open = openBrowser()
const long = { timeout: 30_000 }

/** The ten pages of the trial: what sites do, each once. */
class TrialSite {
  edition = 1
  requests = 0
  /** Who asked last. */
  agent = ''

  readonly serve = (request: IncomingMessage, response: ServerResponse): void => {
    this.requests++
    this.agent = String(request.headers['user-agent'])
    const { edition } = this
    const send = (body: string, type = 'text/html', headers: Record<string, string> = {}) =>
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, ...headers }).end(body)
    const page = (title: string, text: string) =>
      `<title>${title}</title><main><p>${text}</p></main>`
    switch (request.url) {
      case '/etag':
        if (request.headers['if-none-match'] === `"${edition}"`)
          return void response.writeHead(304).end()
        return void send(page('Tagged', `Edition ${edition}`), 'text/html', {
          etag: `"${edition}"`,
        })
      case '/dated':
        return void send(page('Dated', 'Never new'), 'text/html', {
          'last-modified': 'Mon, 05 Jan 2026 12:00:00 GMT',
        })
      case '/feed.xml':
        return void send(
          `<feed xmlns="http://www.w3.org/2005/Atom"><title>Feed</title><id>f</id><updated>2026-01-05T12:00:00Z</updated><entry><title>One</title><id>1</id><updated>2026-01-05T12:00:00Z</updated><link href="/dated"/></entry></feed>`,
          'application/atom+xml',
        )
      case '/sitemap.xml':
        return void send(
          `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://${request.headers.host}/dated</loc></url></urlset>`,
          'application/xml',
        )
      case '/noisy':
        return void send(`<title>Shop</title><section id="offer"><h1>Lamp</h1>
          <p class="price">Price: ${10 * edition} euros</p></section>
          <aside class="ad">Buy hats, offer ${this.requests}</aside>
          <footer>It is now ${new Date().toISOString()}</footer>`)
      case '/data.json':
        return void send(JSON.stringify({ price: edition, at: this.requests }), 'application/json')
      case '/scripted':
        return void send(
          '<title>Scripted</title><div id="root">Loading</div><script>document.getElementById("root").textContent = "Made by a script"</script>',
        )
      case '/slow':
        return void setTimeout(() => send(page('Slow', 'It took a while')), 700)
      case '/broken':
        return void response.writeHead(500).end('broken')
      case '/robots.txt':
        return void response.writeHead(404).end()
      default:
        return void response.writeHead(410).end('gone')
    }
  }
}

const paths = [
  'etag',
  'dated',
  'feed.xml',
  'sitemap.xml',
  'noisy',
  'data.json',
  'scripted',
  'gone',
  'slow',
  'broken',
]

/** Stands in for Slack and for Telegram: keeps what it is sent, and answers as they do. */
class Messengers {
  readonly slack: { text: string; blocks: object[] }[] = []
  readonly telegram: { chat_id: string; text: string }[] = []

  readonly serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const chunk of request) body += chunk
    const isSlack = request.url === '/services/T1/B2/secret'
    if (isSlack) this.slack.push(JSON.parse(body))
    else if (request.url === '/bot123456:ABCDEFGHIJ_k/sendMessage')
      this.telegram.push(JSON.parse(body))
    else return void response.writeHead(404).end()
    response.writeHead(200).end(isSlack ? 'ok' : '{"ok":true}')
  }
}

describe('the whole job, in the browser', () => {
  it('adds ten pages, chooses a part, shows its change, notifies, changes settings, exports and removes', async () => {
    const site = new TrialSite()
    const base = await localServer(site.serve)
    // A host that answers 500 is left to rest, with all of its pages: it is one of its own.
    const brokenBase = await localServer(site.serve)
    const urls = paths.map((path) => `${path === 'broken' ? brokenBase : base}/${path}`)
    const messengers = new Messengers()
    const messengerBase = await localServer((request, response) => {
      messengers.serve(request, response)
    })
    const address = await served([], {
      ...followsLoopback(tempFolder()),
      REVISIT_NOTIFY_NETWORKS: '127.0.0.0/8',
      REVISIT_NOISE_WAIT: '0.01',
    })
    const { page, faults, agree } = await open(address)
    page.setDefaultTimeout(30_000)

    // Added: bare addresses, as people write them.
    await page.getByRole('link', { name: 'Add a page' }).click()
    await page
      .getByLabel('Addresses, one a line')
      .fill(urls.map((url) => url.replace('http://', '')).join('\n'))
    await page.getByRole('button', { name: 'Add 10 pages' }).click()
    await page.getByText('10 pages added.').waitFor()
    await page.keyboard.press('Escape')
    for (const [path, outcome] of [
      ['gone', 'gone'],
      ['broken', 'failed'],
      ['slow', 'no change'],
      ['noisy', 'change'],
      ['data.json', 'change'],
    ] as const)
      await expect
        .poll(() => page.getByRole('row', { name: new RegExp(`/${path}`) }).innerText(), long)
        .toContain(outcome)

    // A part, chosen by a click on the page.
    await page.goto(`${address}/#/pages`)
    await page
      .getByRole('row', { name: /\/noisy/ })
      .getByRole('link')
      .click()
    await page.getByRole('link', { name: 'Choose a part' }).click()
    const price = page.frameLocator('iframe').locator('.price')
    await price.waitFor()
    const box = (await price.boundingBox())!
    await page.mouse.click(box.x + 5, box.y + box.height / 2)
    await page.getByText('Price: 10 euros').last().waitFor()
    await page.getByRole('button', { name: 'Save this rule' }).click()
    await page.getByText('Only these parts').waitFor()
    const noisy = page.url().split('/').at(-1)
    await visits(address, noisy!, 2)

    // Notified on Slack and Telegram.
    await page.goto(`${address}/#/notifications`)
    const add = async (kind: string, fields: Readonly<Record<string, string>>) => {
      await page.getByLabel('Through').selectOption(kind)
      await page.getByLabel('Name', { exact: true }).fill(`my ${kind}`)
      for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text)
      const like = page.getByLabel('Only addresses like')
      if (!(await like.isVisible())) await page.getByText('Only some changes').click()
      await like.fill('*/noisy')
      await page.getByRole('button', { name: 'Add the channel' }).click()
      await page.getByRole('heading', { name: `my ${kind}` }).waitFor()
    }
    await add('slack', { 'Webhook address': `${messengerBase}/services/T1/B2/secret` })
    await add('telegram', {
      Chat: '4711',
      'Token of the bot': '123456:ABCDEFGHIJ_k',
      'Server of the Bot API': messengerBase,
    })
    expect(await page.locator('main').innerText()).not.toMatch(/secret|ABCDEFGHIJ/)
    await page.getByRole('button', { name: 'Send a test' }).first().click()
    await page.getByText('The test was sent.').waitFor()
    await expect.poll(() => messengers.slack.length, long).toBe(1)

    // Its change, and nothing else, here and where the person is.
    await page.goto(`${address}/#/pages/${noisy}`)
    site.edition = 2
    await expect
      .poll(() => page.locator('.diff .added ins').allInnerTexts(), long)
      .toEqual(['Price: 20 euros'])
    expect(await page.locator('.diff').innerText()).not.toMatch(/hats|It is now/)
    await expect.poll(() => messengers.telegram.length, long).toBe(1)
    await expect.poll(() => messengers.slack.length, long).toBe(2)
    expect(messengers.telegram[0]).toMatchObject({ chat_id: '4711' })
    expect(messengers.telegram[0]!.text).toMatch(/20 euros/)
    expect(messengers.telegram[0]!.text).not.toMatch(/hats|It is now/)
    expect(JSON.stringify(messengers.slack[1])).toMatch(/20 euros/)
    await page.goto(`${address}/#/inbox`)
    const shop = page.locator('.change', { hasText: 'Price: 20 euros' })
    await shop.waitFor()
    expect(await shop.innerText()).toMatch(/Shop[\s\S]*Price: 10 euros[\s\S]*Price: 20 euros/)

    // Contact and budget, while it runs: servers see the new contact.
    await page.goto(`${address}/#/settings`)
    await page.getByLabel('Contact', { exact: true }).fill('keeper@example.org')
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await page.getByText('Saved.').waitFor()
    await expect.poll(() => site.agent, long).toContain('(+keeper@example.org)')
    await page.getByLabel('Requests a day', { exact: true }).fill('500')
    await page.getByRole('button', { name: 'Set the budget' }).click()
    await page.getByText('Set here. What it').waitFor()
    const budget = await (await fetch(`${address}/api/budget`)).json()
    expect(budget).toMatchObject({ requestsPerDay: 500, source: 'set' })

    // Exported.
    const waiting = page.waitForEvent('download')
    await page.getByRole('link', { name: 'all pages' }).click()
    const saved = join(tempFolder(), 'pages.jsonl')
    await (await waiting).saveAs(saved)
    const exported = readFileSync(saved, 'utf8')
    const lines = exported
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { url: string })
    expect(lines.map(({ url }) => url).sort()).toEqual([...urls].sort())

    // Removed.
    await page.goto(`${address}/#/pages`)
    await expect.poll(() => page.locator('tbody th').count(), long).toBe(10)
    await page.getByRole('checkbox', { name: 'Choose all pages that are loaded' }).check()
    agree()
    await page.getByRole('button', { name: 'Remove …' }).click()
    await page.getByText('No page is followed yet.').waitFor()
    await page.goto(`${address}/#/`)
    await page.getByRole('heading', { name: 'Welcome to Revisit' }).waitFor()
    expect(faults).toEqual([])
  }, 150_000)
})

/** Waits for so many more visits of a page: the next one is compared by what is set now. */
async function visits(address: string, id: string, more: number): Promise<void> {
  const count = async () =>
    ((await (await fetch(`${address}/api/pages/${id}`)).json()) as { visits: number }).visits
  const before = await count()
  await expect.poll(count, long).toBeGreaterThanOrEqual(before + more)
}
