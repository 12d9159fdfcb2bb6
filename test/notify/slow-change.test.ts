import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { Notifier } from '../../dist/notify/index.js'
import { systemClock } from '../../src/crawler/system-clock.js'
import type { Json } from '../../src/model/units.js'
import { checkedSettings } from '../../src/notify/channel.js'
import { Random } from '../../src/numeric/random.js'
import { localServer } from '../fixtures/local-server.js'
import { allowedNetworks, until } from './a-notifier.js'
import { collection, start, WatchedPages } from './watched-pages.js'

// The built package, because Node 20 runs no TypeScript in a worker thread.

it('reports a change whose difference takes too long, says so, and reports the others', async () => {
  const bodies: string[] = []
  const hook = await localServer(async (request, response) => {
    bodies.push(await text(request))
    response.end()
  })
  const pages = new WatchedPages()
  const settings = checkedSettings(
    { target: { kind: 'webhook', url: hook } },
    { allowedNetworks },
  ) as unknown as Json
  await pages.store.outbox.addChannel({ collection, name: 'hook', settings, now: 0, cursor: 0 })
  const notifier = new Notifier({
    store: pages.store,
    collection,
    clock: systemClock,
    random: new Random(4),
    worker: 'test',
    version: '0.0.0',
    allowedNetworks,
    pollEvery: 0.01,
    diffTime: 0.25,
  })
  const stop = new AbortController()
  const work = notifier.run(stop.signal)
  onTestFinished(async () => {
    stop.abort()
    await work
    await notifier.close()
  })
  // Nine megabytes of lines take about a second to read; a short text takes a few milliseconds.
  const long = (word: string) =>
    Array.from({ length: 600_000 }, (_, i) => `<p>${word} ${i}</p>`).join('')
  const [slow, quick] = ['https://slow.example/', 'https://quick.example/']
  await pages.add(slow, quick)
  await pages.visit(slow, { at: start, outcome: 'first', text: long('a') })
  await pages.visit(quick, { at: start, outcome: 'first', text: 'one' })
  await pages.visit(slow, { at: start + 1, outcome: 'changed', text: long('b') })
  await pages.visit(quick, { at: start + 1, outcome: 'changed', text: 'two' })
  await until(() => bodies.length === 2)
  const notices = bodies.map((body) => JSON.parse(body))
  expect(notices.find(({ page }) => page.url === slow)).toMatchObject({
    type: 'changed',
    previous: start,
    changedShare: null,
    diff: null,
    note: 'the difference could not be found: reading it took longer than 0.25 s',
  })
  expect(notices.find(({ page }) => page.url === quick)).toMatchObject({
    diff: '- one\n+ two\n',
    note: null,
  })
})
