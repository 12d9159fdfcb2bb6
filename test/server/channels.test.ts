import { describe, expect, it } from 'vitest'
import { aService } from './a-service.js'

const hook = {
  name: 'hook',
  target: { kind: 'webhook', url: 'https://example.org/hook', secret: 'a secret of a test' },
  when: { group: 'news', appear: ['sale'] },
}

describe('channels over HTTP', () => {
  it('are added, listed, changed and removed; secrets are shown once', async () => {
    const { ask, store } = await aService()
    const added = (await ask('POST', '/api/channels', hook)).json as { id: string; secret: string }
    expect(added).toMatchObject({
      name: 'hook',
      enabled: true,
      pending: 0,
      secret: hook.target.secret,
    })
    const list = await ask('GET', '/api/channels')
    expect(list.json).toMatchObject({ channels: [{ id: added.id, when: hook.when }] })
    expect(JSON.stringify(list.json)).not.toContain(hook.target.secret)
    const target = { kind: 'webhook', url: 'https://example.org/other' }
    const changed = await ask('PATCH', `/api/channels/${added.id}`, { target, enabled: false })
    expect(changed.json).toMatchObject({ enabled: false, target, when: hook.when })
    const kept = await store.outbox.channel(added.id)
    expect(kept?.settings).toMatchObject({ target: { ...target, secret: hook.target.secret } })
    expect((await ask('DELETE', `/api/channels/${added.id}`)).json).toEqual({ removed: 1 })
    expect((await ask('GET', `/api/channels/${added.id}`)).status).toBe(404)
  })

  it('begin with what is visited next', async () => {
    const { ask, store } = await aService()
    await ask('POST', '/api/channels', hook)
    const [channel] = await store.outbox.channels('default')
    expect(channel?.cursor).toBe(await store.lastVisitNumber())
  })

  it.each([
    [{ target: { kind: 'webhook', url: 'http://127.0.0.1/' } }, 'address-refused'],
    [{ target: { kind: 'webhook', url: 'http://[::1]/' } }, 'address-refused'],
    [{ target: { kind: 'ntfy', url: 'http://169.254.169.254/topic' } }, 'address-refused'],
    [{ target: { kind: 'webhook', url: 'file:///etc/passwd' } }, 'bad-channel'],
    [{ target: { kind: 'email', to: ['a@b.example\r\nBcc: c@d.example'] } }, 'bad-channel'],
    [{ target: { kind: 'pigeon' } }, 'bad-request'],
    [{ when: { on: ['silent'] } }, 'bad-channel'],
    [{ when: { colour: 'red' } }, 'bad-request'],
  ])('refuse %j', async (wrong, code) => {
    const { ask } = await aService()
    const answer = await ask('POST', '/api/channels', { ...hook, ...wrong })
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ error: { code } })
  })

  it('have names of their own, and stay in their collection', async () => {
    const { ask, store } = await aService()
    await ask('POST', '/api/channels', hook)
    expect((await ask('POST', '/api/channels', hook)).json).toMatchObject({
      error: { code: 'channel-exists' },
    })
    const other = { collection: 'other', name: 'x', settings: {}, now: 0, cursor: 0 }
    const { id } = await store.outbox.addChannel(other)
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/test'],
    ] as const)
      expect((await ask(method, `/api/channels/${id}${path}`)).status).toBe(404)
  })

  it('are tested, and tell what went wrong', async () => {
    const test = async () => ({ sent: false, blame: 'receiver', error: 'status 500' }) as const
    const { ask } = await aService({ parts: { notify: { allowedNetworks: [], test } } })
    const { id } = (await ask('POST', '/api/channels', hook)).json as { id: string }
    const answer = await ask('POST', `/api/channels/${id}/test`)
    expect(answer.json).toEqual({ sent: false, error: 'status 500' })
  })

  it('show what became of each delivery', async () => {
    const { ask, store } = await aService()
    const { id } = (await ask('POST', '/api/channels', hook)).json as { id: string }
    const deliveries = [1, 2].map((visit) => ({ page: '1', event: { visit } }))
    await store.outbox.advance({ channel: id, from: 0, upTo: 2, deliveries, now: 5 })
    const { json } = await ask('GET', `/api/deliveries?channel=${id}&state=pending&limit=1`)
    expect(json).toMatchObject({ deliveries: [{ event: { visit: 2 }, state: 'pending' }] })
    expect((await ask('GET', '/api/deliveries?channel=77')).json).toEqual({ deliveries: [] })
  })
})

describe('channels of every kind', () => {
  it('are described with their settings, and with what a template can name', async () => {
    const { ask } = await aService()
    const { json } = await ask('GET', '/api/channels/kinds')
    const { kinds, variables } = json as {
      kinds: { kind: string; fields: { name: string; secret: boolean }[] }[]
      variables: { name: string }[]
    }
    expect(kinds.map(({ kind }) => kind)).toEqual(
      'email slack discord telegram teams mattermost matrix ntfy gotify pushover webhook apprise'.split(
        ' ',
      ),
    )
    const telegram = kinds.find(({ kind }) => kind === 'telegram')!
    expect(telegram.fields.map(({ name, secret }) => [name, secret])).toEqual([
      ['chat', false],
      ['token', true],
      ['topic', false],
      ['server', false],
    ])
    expect(variables.map(({ name }) => name)).toContain('added')
  })

  it('are added by an address, and keep secrets that are sent back as shown', async () => {
    const { ask, store } = await aService()
    const body = {
      name: 't',
      address: 'tgram://123456:ABCdef-123_abcdefghij/77',
      timing: { digest: 'day', quiet: '22:00-07:00', zone: 'Europe/Berlin' },
      message: { title: '{{host}}' },
    }
    const { json, status } = await ask('POST', '/api/channels', body)
    expect(status).toBe(200)
    const { id, target } = json as { id: string; target: object }
    expect(json).toMatchObject({ leadsTo: '77', timing: body.timing, message: body.message })
    expect(target).toEqual({ kind: 'telegram', chat: '77', token: '(not shown)' })
    const changed = await ask('PATCH', `/api/channels/${id}`, {
      target: { ...target, chat: '78' },
    })
    expect(changed.json).toMatchObject({ target: { chat: '78' }, timing: body.timing })
    expect((await store.outbox.channel(id))?.settings).toMatchObject({
      target: { token: '123456:ABCdef-123_abcdefghij' },
    })
  })

  it.each([
    [{ target: { kind: 'command', run: ['/bin/sh', '-c', 'id'] } }, 'bad-request'],
    [{ ...hook, address: 'tgram://1:2/3' }, 'bad-request'],
    [{ address: 'gopher://x' }, 'bad-channel'],
    [{ ...hook, message: { title: '{{constructor}}' } }, 'bad-template'],
    [{ ...hook, message: { body: '{{__proto__}}' } }, 'bad-template'],
    [{ ...hook, timing: { zone: 'Mars/North' } }, 'bad-channel'],
    [{ target: { kind: 'gotify', url: 'http://169.254.169.254/', token: 'x' } }, 'address-refused'],
    [{ target: { kind: 'telegram', chat: '1', token: '1:a/../../x' } }, 'bad-channel'],
    [
      { target: { kind: 'matrix', url: 'https://a.example', room: '!a/../b', token: 'x' } },
      'bad-channel',
    ],
  ])('%o is refused', async (body, code) => {
    const { ask } = await aService()
    const { json } = await ask('POST', '/api/channels', { name: 'x', ...body })
    expect(json).toMatchObject({ error: { code } })
  })

  it('never take a command by the API, nor change one', async () => {
    const { ask, store } = await aService()
    const settings = { target: { kind: 'command', run: ['/bin/true'] }, when: {} }
    const channel = await store.outbox.addChannel({
      collection: 'default',
      name: 'c',
      settings,
      now: 1,
      cursor: 0,
    })
    const target = { kind: 'webhook', url: 'https://example.org/' }
    expect((await ask('PATCH', `/api/channels/${channel.id}`, { target })).status).toBe(403)
    expect(
      (await ask('PATCH', `/api/channels/${channel.id}`, { enabled: false })).json,
    ).toMatchObject({ enabled: false, target: { kind: 'command', run: ['/bin/true'] } })
  })

  it('show how a message reads before it is sent', async () => {
    const { ask } = await aService()
    const message = { title: '{{type}} {{title}}', body: '{{removed}} > {{added}}' }
    expect((await ask('POST', '/api/channels/preview', { message })).json).toEqual({
      title: 'changed a test of a channel',
      body: 'as it was > as it is',
      link: 'https://example.org/',
    })
    expect((await ask('POST', '/api/channels/preview', { page: '99' })).status).toBe(404)
  })
})
