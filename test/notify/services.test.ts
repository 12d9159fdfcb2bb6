import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/crawler/system-clock.js'
import type { Notice } from '../../src/notify/notice.js'
import { checkedTarget, targetFromAddress } from '../../src/notify/send/kinds.js'
import { Senders } from '../../src/notify/send/senders.js'
import { localServer } from '../fixtures/local-server.js'
import { allowedNetworks } from './a-notifier.js'

/** What the services' own references say of lengths, and a text of a page that tries everything at once. */
const hostile =
  '<!channel> @everyone [x](javascript:alert(1)) *b* `c` "}],{"x":"\u0007{{link}} &amp; <b>'
const notice: Notice = {
  type: 'changed',
  collection: 'default',
  page: { id: '7', url: 'https://shop.example/lamp', group: 'shops', title: `Lamp ${hostile}` },
  visit: { number: 3, at: 1_700_000_000, outcome: 'changed', status: 200 },
  previous: null,
  changedShare: 0.2,
  diff: `- ${hostile}\n+ ${'now 12 euros '.repeat(600)}\n`,
  removed: 'was 10',
  added: 'now 12',
  note: null,
  appeared: [],
  disappeared: [],
  unchangedFor: null,
}

interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly json: never
}

async function sent(fields: (base: string) => Record<string, unknown>): Promise<Received> {
  const received: Received[] = []
  const base = await localServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    received.push({ method, path: url, headers, json: JSON.parse(await text(request)) as never })
    response.end('ok')
  })
  const target = checkedTarget(fields(base) as { kind: string }, { allowedNetworks })
  const senders = new Senders({
    clock: systemClock,
    version: '0.0.0',
    allowedNetworks,
    dashboard: 'https://revisit.example/',
  })
  onTestFinished(() => senders.close())
  expect(await senders.for(target)([{ id: '42', notice }])).toEqual({ sent: true })
  expect(received).toHaveLength(1)
  expect(received[0]!.headers['content-type']).toMatch(/^application\/json/)
  return received[0]!
}

const link = 'https://revisit.example/#/pages/7'
const letters = (text: unknown) => (text as string).length

describe('a notice in the documented shape of', () => {
  it('Slack: blocks of plain text, a fallback without markup, and the link as a button', async () => {
    const { json, path } = await sent((base) => ({ kind: 'slack', url: `${base}/services/T/B/X` }))
    expect(path).toBe('/services/T/B/X')
    const { text: fallback, blocks } = json as { text: string; blocks: Record<string, never>[] }
    expect(fallback).not.toMatch(/[<>]/)
    expect(blocks.map(({ type }) => type)).toEqual(['header', 'section', 'actions'])
    const [header, section, actions] = blocks as unknown as [
      { text: { type: string; text: string } },
      { text: { type: string; text: string } },
      { elements: object[] },
    ]
    expect([header.text.type, section.text.type]).toEqual(['plain_text', 'plain_text'])
    // https://docs.slack.dev/reference/block-kit/blocks: 150 letters of a header, 3000 of a section.
    expect(letters(header.text.text)).toBeLessThanOrEqual(150)
    expect(letters(section.text.text)).toBeLessThanOrEqual(3000)
    expect(actions.elements).toEqual([expect.objectContaining({ type: 'button', url: link })])
  })

  it('Discord: an embed that mentions nobody', async () => {
    const { json } = await sent((base) => ({ kind: 'discord', url: `${base}/api/webhooks/1/t` }))
    const { embeds, allowed_mentions } = json as {
      embeds: { title: string; description: string; url: string }[]
      allowed_mentions: object
    }
    expect(allowed_mentions).toEqual({ parse: [] })
    expect(embeds[0]!.url).toBe(link)
    // https://discord.com/developers/docs/resources/message#embed-object-embed-limits
    expect(letters(embeds[0]!.title)).toBeLessThanOrEqual(256)
    expect(letters(embeds[0]!.description)).toBeLessThanOrEqual(4096)
    expect(embeds[0]!.title).toContain('\\[x\\]\\(javascript')
  })

  it('Telegram: a text without a parse mode, cut so that the link stays', async () => {
    const token = '123456:ABCdef-123_abcdefghij'
    const { json, path } = await sent((base) => ({
      kind: 'telegram',
      chat: '-100123',
      token,
      topic: 5,
      server: base,
    }))
    expect(path).toBe(`/bot${token}/sendMessage`)
    const body = json as Record<string, string>
    expect(body).toMatchObject({ chat_id: '-100123', message_thread_id: 5 })
    expect(body).not.toHaveProperty('parse_mode')
    // https://core.telegram.org/bots/api#sendmessage: 1 to 4096 letters.
    expect(letters(body.text)).toBeLessThanOrEqual(4096)
    expect(body.text!.endsWith(link)).toBe(true)
  })

  it('Matrix: an event by PUT under the number of its delivery', async () => {
    const { json, path, method, headers } = await sent((base) => ({
      kind: 'matrix',
      url: base,
      room: '!abc:example.org',
      token: 'syt_x',
    }))
    expect({ method, path }).toEqual({
      method: 'PUT',
      path: '/_matrix/client/v3/rooms/!abc%3Aexample.org/send/m.room.message/revisit-42',
    })
    expect(headers.authorization).toBe('Bearer syt_x')
    expect(json).toEqual({ msgtype: 'm.text', body: expect.stringContaining(link) })
  })

  it('Mattermost: a text whose signs are escaped', async () => {
    const { json } = await sent((base) => ({
      kind: 'mattermost',
      url: `${base}/hooks/k`,
      channel: 'town',
    }))
    const { text: body, channel } = json as { text: string; channel: string }
    expect(channel).toBe('town')
    expect(body).toContain('\\@everyone')
    expect(body).not.toMatch(/[^\\]\[x]/)
    expect(body.endsWith(`<${link}>`)).toBe(true)
  })

  it('Teams: an Adaptive Card of text runs', async () => {
    const { json } = await sent((base) => ({ kind: 'teams', url: `${base}/workflows/x?sig=y` }))
    expect(json).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            body: [
              { type: 'RichTextBlock', inlines: [{ type: 'TextRun', weight: 'Bolder' }] },
              { type: 'RichTextBlock' },
            ],
            actions: [{ type: 'Action.OpenUrl', url: link }],
          },
        },
      ],
    })
    // https://learn.microsoft.com/microsoftteams/limits-specifications-teams: 28 KB.
    expect(JSON.stringify(json).length).toBeLessThan(28_000)
  })

  it('Gotify: title and message with the token in a header', async () => {
    const { json, path, headers } = await sent((base) => ({
      kind: 'gotify',
      url: base,
      token: 'Axy',
      priority: 8,
    }))
    expect(path).toBe('/message')
    expect(headers['x-gotify-key']).toBe('Axy')
    expect(json).toMatchObject({
      title: expect.stringMatching(/^Changed: Lamp/),
      priority: 8,
      extras: {
        'client::display': { contentType: 'text/plain' },
        'client::notification': { click: { url: link } },
      },
    })
  })

  it('Pushover: within its limits', async () => {
    const { json, path } = await sent((base) => ({
      kind: 'pushover',
      user: 'u1',
      token: 't1',
      device: 'phone',
      server: base,
    }))
    expect(path).toBe('/1/messages.json')
    const body = json as Record<string, string>
    expect(body).toMatchObject({ user: 'u1', token: 't1', device: 'phone', url: link })
    expect(body).not.toHaveProperty('html')
    // https://pushover.net/api#limits
    expect(letters(body.title)).toBeLessThanOrEqual(250)
    expect(letters(body.message)).toBeLessThanOrEqual(1024)
  })

  it('Apprise: under a key, and without one with addresses', async () => {
    const { json, path } = await sent((base) => ({
      kind: 'apprise',
      url: `${base}/notify/key`,
      tag: 'x',
    }))
    expect(path).toBe('/notify/key')
    expect(json).toMatchObject({
      type: 'info',
      format: 'text',
      tag: 'x',
      title: expect.any(String),
    })
    const bare = await sent((base) => ({ kind: 'apprise', url: base, urls: 'mailto://a' }))
    expect(bare.path).toBe('/notify')
    expect(bare.json).toMatchObject({ urls: 'mailto://a' })
  })

  it('ntfy: JSON to the root, with the link to click', async () => {
    const { json, path } = await sent((base) => ({ kind: 'ntfy', url: `${base}/topic` }))
    expect(path).toBe('/')
    expect(json).toMatchObject({ topic: 'topic', click: link })
  })

  it('a webhook with a template: what a page says fills texts and makes no structure', async () => {
    const template = '{"a": "{{title}} {{nothing}}"}'
    expect(() => checkedTarget({ kind: 'webhook', url: 'https://a.example/', template })).toThrow(
      /\{\{nothing}} is not known; there are line, text/,
    )
    expect(() =>
      checkedTarget({ kind: 'webhook', url: 'https://a.example/', template: '{"a": ' }),
    ).toThrow(/is JSON/)
    const { json } = await sent((base) => ({
      kind: 'webhook',
      url: `${base}/`,
      template:
        '{"text": "{{title}}|{{added}}", "list": ["{{ url }}", 7, null, {"link": "{{link}}"}]}',
    }))
    expect(json).toEqual({
      text: `Lamp ${hostile.replace('\u0007', '\\u0007')}|now 12`,
      list: ['https://shop.example/lamp', 7, null, { link }],
    })
  })
})

describe('an address in the form of Apprise', () => {
  // As https://github.com/caronc/apprise lists them.
  it.each([
    [
      'slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ',
      {
        kind: 'slack',
        url: 'https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ',
      },
    ],
    [
      'discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js',
      {
        kind: 'discord',
        url: 'https://discord.com/api/webhooks/4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js',
      },
    ],
    [
      'tgram://123456789:abcdefg_hijklmnop/12315544/',
      { kind: 'telegram', token: '123456789:abcdefg_hijklmnop', chat: '12315544' },
    ],
    [
      'matrixs://abc123@matrix.example.org/!room:example.org',
      {
        kind: 'matrix',
        url: 'https://matrix.example.org',
        room: '!room:example.org',
        token: 'abc123',
      },
    ],
    [
      'mmosts://mattermost.example.org:8065/key?channel=town',
      { kind: 'mattermost', url: 'https://mattermost.example.org:8065/hooks/key', channel: 'town' },
    ],
    [
      'gotifys://gotify.example.org/path/tok',
      { kind: 'gotify', url: 'https://gotify.example.org/path', token: 'tok' },
    ],
    [
      'pover://user@token/phone',
      { kind: 'pushover', user: 'user', token: 'token', device: 'phone' },
    ],
    ['ntfy://my-topic', { kind: 'ntfy', url: 'https://ntfy.sh/my-topic' }],
    ['ntfys://ntfy.example.org/t', { kind: 'ntfy', url: 'https://ntfy.example.org/t' }],
    ['mailto://you@example.org', { kind: 'email', to: ['you@example.org'] }],
    ['jsons://example.org/hook/a', { kind: 'webhook', url: 'https://example.org/hook/a' }],
    [
      'apprises://apprise.example.org/key',
      { kind: 'apprise', url: 'https://apprise.example.org/notify/key' },
    ],
  ])('%s is taken', (address, target) => {
    expect(targetFromAddress(address)).toEqual(target)
    expect(() => checkedTarget(targetFromAddress(address))).not.toThrow()
  })

  it('of Teams has the signature in its query', () => {
    const { url } = targetFromAddress('workflows://host.example:443/WFID/SIG') as unknown as {
      url: string
    }
    expect(new URL(url).searchParams.get('sig')).toBe('SIG')
    expect(new URL(url).pathname).toBe('/workflows/WFID/triggers/manual/paths/invoke')
  })

  it.each([
    'bark://key',
    'slack://only-one',
    'file:///etc/passwd',
    'tgram://',
    'nonsense',
    'mailto://u:p@gmail.com',
  ])('%s is refused with what there is', (address) => {
    expect(() => targetFromAddress(address)).toThrow(/there are|looks like/)
  })
})
