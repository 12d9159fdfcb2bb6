import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { crawledSite } from '../../fixtures/crawled-site.js'
import { localServer } from '../../fixtures/local-server.js'
import { notCompared, PricedShop, priceChanges } from '../../fixtures/priced-shop.js'
import { SmtpServer } from '../../notify/smtp-server.js'

const paths = ['/lamp', '/lamp.json'] as const

/** A shop watched for its price, with a webhook and a mailbox, after the price went up. */
async function changedShop() {
  const bodies: string[] = []
  const hook = await localServer(async (request, response) => {
    bodies.push(await text(request))
    response.end()
  })
  const smtp = await SmtpServer.open()
  const shop = new PricedShop()
  const site = await crawledSite(shop.pages)
  const env = {
    REVISIT_NOISE_WAIT: '0.01',
    REVISIT_SMTP: smtp.url,
    REVISIT_NOTIFY_NETWORKS: '127.0.0.0/8',
  }
  const revisit = (...args: string[]) => site.revisit(args, { env })
  const [lamp, json] = paths.map((path) => site.base + path) as [string, string]
  await revisit('watch', lamp, '--select', '.price', '--ignore', '.was')
  await revisit('watch', json, '--ignore-paths', '$.meta.time', '$..id')
  await revisit('notify', 'add', 'webhook', hook)
  await revisit('notify', 'add', 'email', 'me@a.example')
  const visit = async () => {
    await site.makeDue()
    await revisit('run', '--once', '-q')
  }
  await visit()
  await visit()
  expect(bodies).toEqual([])
  expect((await revisit('show', lamp)).out).toMatch(/masked +a time after "Checked at"/)
  shop.price = 12
  await visit()
  return { revisit, site, visit, shop, lamp, json, smtp, notices: bodies.map((b) => JSON.parse(b)) }
}

describe('a page watched for its price, with parts and paths ignored and a clock masked', () => {
  it('is reported by its price alone in a webhook, with the share of what is compared', async () => {
    const { site, notices } = await changedShop()
    expect(notices).toHaveLength(2)
    for (const path of paths) {
      const notice = notices.find(({ page }) => page.url === site.base + path)
      const { diff, share } = priceChanges[path]
      expect(notice).toMatchObject({ type: 'changed', diff, note: null })
      expect(notice.changedShare).toBeCloseTo(share, 10)
    }
  })

  it('is reported by its price alone in a mail', async () => {
    const { site, smtp } = await changedShop()
    expect(smtp.mails).toHaveLength(2)
    for (const path of paths) {
      const mail = smtp.mails.find(({ data }) => data.includes(`${site.base + path}\r\n`))!
      const lines = mail.data.slice(mail.data.indexOf('\r\n\r\n') + 4).split('\r\n')
      const changed = lines.filter((line) => /^[-+] /.test(line)).join('\n')
      expect(changed).toBe(priceChanges[path].diff.trimEnd())
      // The first line names the page by its title.
      expect(lines.slice(1).join('\n')).not.toMatch(notCompared)
    }
  })

  it('is compared by its price alone, and whole where asked for', async () => {
    const { revisit, lamp, json } = await changedShop()
    const head = 3
    const shown = await revisit('diff', lamp)
    expect(shown.out.split('\n').slice(head)).toEqual([
      '- Price: 10 euros',
      '+ Price: 12 euros',
      '  Checked at ▒',
      '',
    ])
    const words = await revisit('diff', lamp, '--words')
    expect(words.out.split('\n')[head]).toBe('Price: [-10-]{+12+} euros')
    const values = await revisit('diff', json)
    expect(values.out).toContain('- "price": 10\n+ "price": 12\n')
    expect(values.out).not.toMatch(notCompared)
    const program = JSON.parse((await revisit('diff', json, '--json')).out)
    expect(program).toMatchObject({ view: 'compared', note: null })
    expect(JSON.stringify(program.lines)).not.toMatch(/\\"id|\\"time/)

    const whole = (await revisit('diff', lamp, '--whole')).out
    for (const line of ['  Lamps', '- In stock', '+ Out of stock', '- Price: 10 euros'])
      expect(whole).toContain(`${line}\n`)
    expect(whole).toMatch(/- Checked at 12:00:\d\d\n/)
    expect((await revisit('diff', json, '--whole')).out).toContain('"time":')
    expect((await revisit('diff', lamp, '--raw')).out).toContain('<p class=was>')
  })

  it('says in words where the rules of now see no difference, or cannot read a copy', async () => {
    const { revisit, lamp } = await changedShop()
    await revisit(
      'watch',
      lamp,
      '--select',
      'p + p',
      '--ignore',
      '.price',
      '--ignore-text',
      'Out of|In',
    )
    const same = await revisit('diff', lamp)
    expect(same.out).toMatch(/What is compared of this page is the same in both copies; --whole/)
    expect(JSON.parse((await revisit('diff', lamp, '--json')).out).note).toMatch(/is the same/)
    await revisit('watch', lamp, '--select', '.nowhere')
    const unread = await revisit('diff', lamp)
    expect(unread).toMatchObject({ code: 3, out: '' })
    expect(unread.err).toMatch(
      /the copy of \S+ cannot be read by the rules of this page: nothing on the page is selected by .nowhere; --whole/,
    )
    expect((await revisit('diff', lamp, '--whole')).out).toContain('+ Out of stock\n')
    expect((await revisit('diff', lamp, '--whole', '--raw')).err).toMatch(/choose one of/)
  })
})
