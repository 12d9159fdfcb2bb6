import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { isSigned } from '../../../src/notify/send/webhook.js'
import { crawledSite } from '../../fixtures/crawled-site.js'
import { localServer } from '../../fixtures/local-server.js'

const local = ['--notify-networks', '127.0.0.0/8']

describe('revisit notify', () => {
  it('adds a webhook that run tells of a change, tests it, and removes it', async () => {
    const received: { header: string; body: string }[] = []
    const hook = await localServer(async (request, response) => {
      const header = String(request.headers['revisit-signature'])
      received.push({ header, body: await text(request) })
      response.end()
    })
    const site = await crawledSite()
    const { base, revisit } = site
    site.pages['/a'] = { body: '<title>A title</title><p>one</p>' }
    await revisit(['watch', `${base}/a`])
    const added = await revisit([
      'notify',
      'add',
      'webhook',
      hook,
      '--name',
      'h',
      '--json',
      ...local,
    ])
    expect(added.err).toBe('')
    const { secret } = JSON.parse(added.out) as { secret: string }
    expect(secret).toHaveLength(43)
    const tested = await revisit(['notify', 'test', 'h', ...local])
    expect(tested).toEqual({ code: 0, out: 'h: sent\n', err: '' })

    const once = ['run', '--once', '--quiet', ...local]
    await revisit(once)
    site.pages['/a'] = { body: '<title>A title</title><p>two</p>' }
    await site.makeDue()
    await revisit(once)
    expect(received.map(({ body }) => JSON.parse(body).type)).toEqual(['test', 'changed'])
    const [, { header, body }] = received as [unknown, { header: string; body: string }]
    expect(isSigned({ secret, header, body, now: Date.now() / 1000 })).toBe(true)
    expect(JSON.parse(body)).toMatchObject({
      page: { url: `${base}/a`, title: 'A title' },
      diff: '- one\n+ two\n',
    })

    expect((await revisit(['notify', 'list'])).out).toBe(`h: webhook ${hook}/, 0 waiting\n`)
    const listed = (await revisit(['notify', 'list', '--json'])).out
    expect(listed).not.toContain(secret)
    expect(JSON.parse(listed)).toMatchObject([{ name: 'h', pending: 0 }])
    const delivered = (await revisit(['notify', 'deliveries', '--json'])).out
    expect(JSON.parse(delivered)).toMatchObject([{ state: 'delivered', attempts: 1 }])
    const reported = (await revisit(['notify', 'deliveries', 'h'])).out
    expect(reported).toMatch(/^1 {2}\S+ {2}delivered {2}changed http:\S+\/a {2}tries 1\n$/)
    expect((await revisit(['notify', 'off', 'h'])).out).toContain(', off,')
    expect((await revisit(['notify', 'remove', 'h'])).out).toBe('h removed\n')
  })

  it('says that there are none, and gives programs an empty array', async () => {
    const { revisit } = await crawledSite()
    expect((await revisit(['notify', 'list'])).out).toMatch(/^no channels; revisit notify add /)
    expect((await revisit(['notify', 'deliveries'])).out).toBe('no deliveries yet\n')
    for (const what of ['list', 'deliveries'])
      expect((await revisit(['notify', what, '--json'])).out).toBe('[]\n')
  })

  it('names the setting that lets a private receiver be told', async () => {
    const { revisit } = await crawledSite()
    const hook = ['notify', 'add', 'webhook', 'http://127.0.0.1:9/', '--name', 'h']
    expect((await revisit([...hook, ...local])).code).toBe(0)
    const { code, out } = await revisit(['notify', 'test', 'h'])
    expect({ code, out }).toEqual({
      code: 3,
      out: 'h: 127.0.0.1 is a private or reserved address; allow its network with notify-networks\n',
    })
  })

  it('lists what was chosen as the options write it, and no secret', async () => {
    const { revisit } = await crawledSite()
    const add = (...words: string[]) => revisit(['notify', 'add', ...words])
    const mail = ['--digest', '1d', '--share', '5%', '--silent-for', '36h', '--group', 'news']
    await add('email', 'you@example.org', ...mail)
    await add('ntfy', 'https://ntfy.example/topic', '--token', 'tk_hush', '--name', 'n')
    expect((await revisit(['notify', 'list'])).out.split('\n')).toEqual([
      'you@example.org: email you@example.org digest=1d group=news share=5% silent-for=36h, 0 waiting',
      'n: ntfy https://ntfy.example/topic token=(not shown), 0 waiting',
      '',
    ])
  })

  it('warns of an e-mail channel that nothing can be sent through', async () => {
    const { revisit } = await crawledSite()
    const add = ['notify', 'add', 'email', 'you@example.org', '--json']
    const { code, out, err } = await revisit(add)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ name: 'you@example.org' })
    expect(err).toMatch(/^no mail server is set, .*: set smtp, such as smtp:/)
    const set = ['--smtp', 'smtp://mail.example:25', '--name', 'other']
    expect((await revisit([...add, ...set])).err).toBe('')
  })

  it('refuses what cannot be, and says what to do', async () => {
    const { revisit } = await crawledSite()
    const printed = async (...words: string[]) => {
      const { code, err } = await revisit(['notify', ...words])
      expect(code).not.toBe(0)
      return err
    }
    expect(await printed('add', 'webhook', 'http://127.0.0.1:1/')).toMatch(/notify-networks/)
    expect(await printed('add', 'pigeon', 'home')).toMatch(
      /no kind "pigeon" of channel; there are email, slack, .*webhook/,
    )
    expect(await printed('add', 'email', 'a@b.example', '--on', 'silent')).toMatch(/silentFor/)
    expect(await printed('shout')).toMatch(/takes add, list/)
    expect(await printed('remove', 'none')).toMatch(/there is no channel none; revisit notify list/)
    expect(await printed('off')).toMatch(/name one channel; revisit notify list/)
  })

  it('shows no password of the mail server', async () => {
    const { revisit } = await crawledSite()
    for (const form of [[], ['--json']]) {
      const flags = ['--smtp', 'smtp://me:pass-word@mail.example:25', ...form]
      const { out } = await revisit(['config', ...flags])
      expect(out).toContain('smtp://me:(not shown)@mail.example:25')
      expect(out).not.toContain('pass-word')
    }
  })
})
