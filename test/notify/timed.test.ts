import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/crawler/system-clock.js'
import type { Json } from '../../src/model/units.js'
import { checkedSettings } from '../../src/notify/channel.js'
import type { Timing } from '../../src/notify/timing.js'
import { localServer } from '../fixtures/local-server.js'
import { ANotifier, allowedNetworks, until } from './a-notifier.js'
import { collection, start } from './watched-pages.js'

const url = 'https://a.example/'

/** A notifier whose clock a test sets, a receiver, and a page that changed. */
async function timed(timing: Timing, now: number) {
  const received: { title: string; message: string }[] = []
  const base = await localServer(async (request, response) => {
    received.push(JSON.parse(await text(request)))
    response.end()
  })
  const clock = { at: now, now: () => clock.at, sleep: systemClock.sleep }
  const told = new ANotifier({ clock })
  const target = { kind: 'gotify', url: base, token: 'x' }
  const settings = checkedSettings({ target, timing }, { allowedNetworks }) as unknown as Json
  await told.pages.store.outbox.addChannel({ collection, name: 'g', settings, now: 0, cursor: 0 })
  await told.pages.add(url)
  await told.pages.visit(url, { at: start, outcome: 'first', text: 'one' })
  const change = (i: number) =>
    told.pages.visit(url, { at: start + i, outcome: 'changed', text: `text ${i}` })
  return { received, clock, told, change }
}

const at = (time: string) => Date.parse(time) / 1000
const pause = () => new Promise((resolve) => setTimeout(resolve, 150))

describe('a channel with times of its own', () => {
  it('gathers an hour into one message', async () => {
    const { received, clock, told, change } = await timed(
      { digest: 'hour' },
      at('2026-11-18T09:10:00Z'),
    )
    await change(1)
    await change(2)
    told.start()
    await until(async () => (await told.pages.store.outbox.countPending('1')) === 2)
    await pause()
    expect(received).toEqual([])
    clock.at = at('2026-11-18T10:00:01Z')
    await until(() => received.length > 0)
    await pause()
    expect(received).toHaveLength(1)
    expect(received[0]!.title).toMatch(/^2 notices: /)
    expect(received[0]!.message).toMatch(/text 1[\s\S]*text 2/)
  })

  it('is quiet in its quiet hours, and sends what came then after them', async () => {
    const { received, clock, told, change } = await timed(
      { quiet: '22:00-07:00' },
      at('2026-11-18T23:00:00Z'),
    )
    await change(1)
    told.start()
    await pause()
    expect(received).toEqual([])
    clock.at = at('2026-11-19T07:00:00Z')
    await until(() => received.length === 1)
  })

  it('sends nothing of a page that is muted, and of it again later', async () => {
    const { received, told, change } = await timed({}, start)
    await told.pages.store.changePage({ collection, url }, { settings: { mute: start + 5 } })
    await change(1)
    told.start()
    await pause()
    await change(6)
    await until(() => received.length === 1)
    expect(received[0]!.message).toContain('text 6')
  })
})

describe('a command', () => {
  const command = async (more: { commands?: boolean }) => {
    const folder = mkdtempSync(join(tmpdir(), 'revisit-command-'))
    const [script, out] = [join(folder, 'told.mjs'), join(folder, 'out')]
    writeFileSync(
      script,
      `import { readFileSync, writeFileSync } from 'node:fs'
const { page } = JSON.parse(readFileSync(0, 'utf8'))
writeFileSync(process.argv[2], JSON.stringify([page.title, process.env.REVISIT_TITLE, process.argv.slice(3), process.env.SECRET ?? null]))`,
    )
    const told = new ANotifier(more)
    const channel = await told.channel('c', {
      kind: 'command',
      run: [process.execPath, script, out, '$(id) {{title}}'],
    })
    await told.pages.add(url)
    await told.pages.visit(url, { at: start, outcome: 'first', text: 'one' })
    const title = '$(touch x); `id` {{url}}'
    await told.pages.visit(url, { at: start + 1, outcome: 'changed', text: 'two', title })
    return { told, out, title, channel }
  }

  it('is given the notice on its input and in its environment, and no shell', async () => {
    process.env.SECRET = 'of this process'
    const { told, out, title } = await command({ commands: true })
    told.start()
    await until(
      async () =>
        (await told.pages.store.outbox.deliveries({ collection, state: 'delivered', limit: 1 }))
          .length === 1,
    )
    delete process.env.SECRET
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual([title, title, ['$(id) {{title}}'], null])
  })

  it('does not run unless the configuration says so', async () => {
    const { told, channel } = await command({})
    told.start()
    const error = async () => (await told.pages.store.outbox.channel(channel.id))?.error ?? ''
    await until(async () => (await error()) !== '')
    expect(await error()).toMatch(/notify-commands is off/)
  })
})
