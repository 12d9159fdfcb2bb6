import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { isSigned } from '../../src/notify/send/webhook.js'
import { localServer } from '../fixtures/local-server.js'
import { ANotifier, until } from './a-notifier.js'
import { SmtpServer } from './smtp-server.js'
import { collection, start, WatchedPages } from './watched-pages.js'

const url = 'https://a.example/terms'
const secret = 'the secret of a test'
const nasty = 'Sale\r\nBcc: evil@x.example\r\n\r\n<script>alert("ü")</script>&#7;\u202e'

interface Received {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A receiver that answers with what `status` gives. */
async function receiver(status: (received: Received) => number = () => 200) {
  const received: Received[] = []
  const address = await localServer(async (request, response) => {
    const one = {
      path: request.url ?? '',
      headers: request.headers,
      body: await text(request),
    }
    const code = status(one)
    if (code < 300) received.push(one)
    response.writeHead(code, code === 302 ? { location: '/elsewhere' } : {}).end('ignored')
  })
  return { address, received }
}

async function changes(it: ANotifier, at: string, count: number, title = 'A title') {
  await it.pages.add(at)
  await it.pages.visit(at, { at: start, outcome: 'first', text: 'version 0' })
  for (let i = 1; i <= count; i++)
    await it.pages.visit(at, { at: start + i, outcome: 'changed', text: `version ${i}`, title })
}

const mailServer = async () => {
  const smtp = await SmtpServer.open()
  return { smtp, mail: { smtp: smtp.url, from: 'Revisit <revisit@b.example>' } }
}

describe('a visit that cannot be described', () => {
  it('is left out, its error stands at the channel, and later changes are told', async () => {
    const { address, received } = await receiver()
    const { store } = new WatchedPages()
    let poison = ''
    const failing = new Proxy(store, {
      get(from, name) {
        const value = Reflect.get(from, name) as unknown
        if (name !== 'snapshot') return typeof value === 'function' ? value.bind(from) : value
        return async (digest: string) => {
          if (digest === poison) throw new RangeError('Maximum call stack size exceeded')
          return from.snapshot(digest)
        }
      },
    })
    const it = new ANotifier({ store: failing })
    await changes(it, url, 1)
    poison = (await store.versionsOf({ collection, url })).at(-1)!.digest
    const channel = await it.channel('hook', { kind: 'webhook', url: address, secret })
    it.start()
    await until(async () => (await store.outbox.channel(channel.id))?.error !== null)
    const shown = await store.outbox.channel(channel.id)
    expect(shown).toMatchObject({ failures: 1 })
    expect(shown?.error).toContain(`${url}: Maximum call stack size exceeded`)
    await changes(it, 'https://b.example/', 1, 'Another title')
    await until(() => received.length > 0)
    expect(JSON.parse(received[0]!.body)).toMatchObject({ page: { url: 'https://b.example/' } })
    await until(async () => (await store.outbox.channel(channel.id))?.failures === 0)
    expect(it.errors).toEqual([])
  })
})

describe('a webhook', () => {
  it('gets every change in order, signed, once while all is well', async () => {
    const { address, received } = await receiver()
    const it = new ANotifier()
    await it.channel('hook', { kind: 'webhook', url: `${address}/hook`, secret })
    await changes(it, url, 5, nasty)
    it.start()
    await until(() => received.length >= 5)
    await it.stop()
    expect(received).toHaveLength(5)
    const bodies = received.map(({ body }) => JSON.parse(body))
    expect(bodies.map(({ visit }) => visit.at - start)).toEqual([1, 2, 3, 4, 5])
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(5)
    expect(bodies[4].diff).toBe('- version 4\n+ version 5\n')
    expect(bodies[4].page.title).not.toMatch(/\p{Cc}|\u202e/u)
    for (const { headers, body, path } of received) {
      const header = String(headers['revisit-signature'])
      expect(isSigned({ secret, header, body, now: Date.now() / 1000 })).toBe(true)
      expect(headers['revisit-delivery']).toBe(JSON.parse(body).id)
      expect(path).toBe('/hook')
    }
    expect(it.errors).toEqual([])
    expect(await it.pages.store.check()).toEqual([])
  })

  it('that refuses one page goes on with the others, and that page keeps its order', async () => {
    let refusals = 0
    const { address, received } = await receiver(({ body }) => {
      const { page, visit } = JSON.parse(body)
      const refuse = page.url === url && visit.at === start + 1 && refusals++ < 4
      return refuse ? 422 : 200
    })
    const it = new ANotifier()
    await it.channel('hook', { kind: 'webhook', url: address, secret })
    await changes(it, url, 3)
    await changes(it, 'https://b.example/', 3)
    it.start()
    await until(() => received.length >= 6)
    const seen = received.map(({ body }) => JSON.parse(body))
    const of = (page: string) =>
      seen.filter((each) => each.page.url === page).map(({ visit }) => visit.at - start)
    expect(of(url)).toEqual([1, 2, 3])
    expect(of('https://b.example/')).toEqual([1, 2, 3])
    expect(seen[0].page.url).toBe('https://b.example/')
    expect(refusals).toBeGreaterThanOrEqual(4)
  })

  it('that is dead holds back no other, and is given up with a record', async () => {
    const { address, received } = await receiver()
    const it = new ANotifier({ retry: { firstWait: 0.02, longestWait: 0.02, giveUpAfter: 0.3 } })
    const dead = await it.channel('dead', { kind: 'webhook', url: 'http://127.0.0.1:1/', secret })
    const slow = await localServer(() => {})
    await it.channel('silent', { kind: 'webhook', url: slow, secret })
    await it.channel('well', { kind: 'webhook', url: address, secret })
    await changes(it, url, 3)
    it.start()
    await until(() => received.length === 3)
    const { outbox } = it.pages.store
    const ofDead = { collection, channel: dead.id, state: 'given-up', limit: 10 } as const
    await until(async () => (await outbox.deliveries(ofDead)).length === 3)
    const record = (await outbox.deliveries(ofDead)).at(-1)
    expect(record).toMatchObject({
      state: 'given-up',
      error: expect.stringMatching(/ECONNREFUSED/),
    })
    expect(record!.attempts).toBeGreaterThan(3)
    expect((await outbox.channel(dead.id))?.failures).toBeGreaterThan(3)
  })

  it('is not followed elsewhere, nor reached at a private address', async () => {
    const paths: string[] = []
    const { address } = await receiver(({ path }) => {
      paths.push(path)
      return 302
    })
    const it = new ANotifier()
    const moved = await it.channel('moved', { kind: 'webhook', url: `${address}/old`, secret })
    expect(await it.notifier.test(moved.id)).toMatchObject({
      sent: false,
      error: 'status 302: redirects are not followed',
    })
    expect(paths).toEqual(['/old'])
    // A name passes the look at its letters, and is refused when it leads to loopback.
    const strict = new ANotifier({
      allowedNetworks: [],
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    const port = new URL(address).port
    const named = await strict.channel('named', {
      kind: 'webhook',
      url: `http://rebound.example:${port}/`,
      secret,
    })
    expect(await strict.notifier.test(named.id)).toMatchObject({
      sent: false,
      blame: 'receiver',
      error: expect.stringMatching(/private or reserved/),
    })
    expect(paths).toEqual(['/old'])
  })

  it('may answer without end or not at all: neither is waited for', async () => {
    const endless = await localServer((_, response) => {
      response.writeHead(200)
      const more = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', more)
      }
      more()
    })
    const it = new ANotifier({ sendTime: 1 })
    const talker = await it.channel('talker', { kind: 'webhook', url: endless, secret })
    expect(await it.notifier.test(talker.id)).toEqual({ sent: true })
    const quiet = await localServer(() => {})
    const silent = await it.channel('silent', { kind: 'webhook', url: quiet, secret })
    expect(await it.notifier.test(silent.id)).toMatchObject({ error: 'no answer within 1 s' })
    const url = quiet.replace('http:', 'https:')
    const noTls = await it.channel('no TLS', { kind: 'webhook', url, secret })
    const inWords = { error: expect.stringMatching(/^TLS failed: [\w ]+$/) }
    expect(await it.notifier.test(noTls.id)).toMatchObject(inWords)
    expect(await it.notifier.test('99')).toBe(null)
  })
})

describe('a channel', () => {
  it('that is switched off tells later, and one that is removed no more', async () => {
    const { address, received } = await receiver()
    const it = new ANotifier()
    const { outbox } = it.pages.store
    const hook = await it.channel('hook', { kind: 'webhook', url: address, secret })
    await outbox.changeChannel(hook.id, { enabled: false })
    await changes(it, url, 2)
    it.start()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(received).toEqual([])
    await outbox.changeChannel(hook.id, { enabled: true })
    await until(() => received.length === 2)
    await outbox.removeChannel(hook.id)
    await it.pages.visit(url, { at: start + 50, outcome: 'changed', text: 'later' })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(received).toHaveLength(2)
    expect(it.errors).toEqual([])
  })

  it('tells nothing of visits made before it was added, such as those of an import', async () => {
    const { address, received } = await receiver()
    const it = new ANotifier()
    const { outbox } = it.pages.store
    const { settings } = await it.channel('all', { kind: 'webhook', url: address, secret })
    const late = { collection, name: 'late', settings, now: start + 2, cursor: 0 }
    const { id } = await outbox.addChannel(late)
    await changes(it, url, 3)
    it.start()
    await until(() => received.length === 5)
    await it.stop()
    expect(await outbox.deliveries({ collection, channel: id, limit: 9 })).toHaveLength(2)
  })
})

describe('ntfy', () => {
  it('gets a message as JSON, with the token, and no header made of a title', async () => {
    const { address, received } = await receiver()
    const it = new ANotifier()
    const target = { kind: 'ntfy', url: `${address}/sub/my-topic`, token: 'tk_x', priority: 4 }
    await it.channel('phone', target as { kind: 'ntfy'; url: string })
    await changes(it, url, 1, nasty)
    it.start()
    await until(() => received.length === 1)
    const [{ path, headers, body }] = received as [Received]
    expect(path).toBe('/sub/')
    expect(headers.authorization).toBe('Bearer tk_x')
    expect(headers.bcc).toBe(undefined)
    const message = JSON.parse(body)
    expect(message).toMatchObject({ topic: 'my-topic', click: url, priority: 4 })
    expect(message.title).toMatch(/^Changed: Sale Bcc: evil@x\.example/)
    expect(message.title).not.toMatch(/\p{Cc}|\u202e/u)
    expect(message.message).toContain('+ version 1')
  })
})

describe('e-mail', () => {
  it('is one mail for each change, whose subject is one line whatever the title', async () => {
    const { smtp, mail } = await mailServer()
    const it = new ANotifier({ mail })
    await it.channel('mail', { kind: 'email', to: ['a@c.example', 'b@c.example'] })
    await changes(it, url, 2, nasty)
    it.start()
    await until(() => smtp.mails.length === 2)
    const [{ from, to, data }] = smtp.mails as [(typeof smtp.mails)[0]]
    expect(from).toBe('revisit@b.example')
    expect(to).toEqual(['a@c.example', 'b@c.example'])
    const [head = '', ...rest] = data.split('\r\n\r\n')
    expect(head).not.toMatch(/^bcc:/im)
    expect(head).toMatch(/^Subject: /m)
    expect(head).toMatch(/^Auto-Submitted: auto-generated/m)
    expect(head).toMatch(/^Content-Type: text\/plain/m)
    expect(rest.join()).toContain('+ version 1')
    const ids = smtp.mails.map((each) => /^Message-ID: (.*)$/m.exec(each.data)?.[1])
    expect(new Set(ids).size).toBe(2)
  })

  it('gathers a digest, and sends it whole once the server takes it', async () => {
    const { smtp, mail } = await mailServer()
    smtp.refusing = true
    const it = new ANotifier({ mail })
    const { id } = await it.channel('mail', { kind: 'email', to: ['a@c.example'], digest: 0.2 })
    await changes(it, url, 4)
    it.start()
    const { outbox } = it.pages.store
    await until(async () => ((await outbox.channel(id))?.failures ?? 0) >= 2)
    smtp.refusing = false
    await until(async () => (await outbox.countPending(id)) === 0)
    expect(smtp.mails).toHaveLength(1)
    expect(smtp.mails[0]!.data).toMatch(/^Subject: \[Revisit\] 4 notices: /m)
    for (let i = 1; i <= 4; i++) expect(smtp.mails[0]!.data).toContain(`+ version ${i}`)
  })

  it('says what to set where no mail server is', async () => {
    const it = new ANotifier()
    const { id } = await it.channel('mail', { kind: 'email', to: ['a@c.example'] })
    expect(await it.notifier.test(id)).toMatchObject({
      error: expect.stringMatching(/setting smtp/),
    })
    expect(() => new ANotifier({ mail: { smtp: 'http://x', from: 'a@b' } })).toThrow(/smtp takes/)
  })
})
