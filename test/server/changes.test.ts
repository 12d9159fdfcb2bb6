import { describe, expect, it } from 'vitest'
import { InboxWriter } from '../../src/notify/inbox/inbox-writer.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { WatchedPages } from '../notify/watched-pages.js'
import { aService, collection } from './a-service.js'

const url = 'https://a.example/terms'
const title = 'Terms &amp; &lt;img src=x onerror=alert(1)>'
const text = (fee: string) =>
  `The first part stays as it is.</p><p>The yearly fee of this account is ${fee} and is due in May.`

async function changedTwice() {
  const store = openMemoryStore()
  const service = await aService({ store })
  await store.addPages({ collection, now: 1000, pages: [{ url, tags: ['legal'] }] })
  for (const [i, fee] of ['10 euro', '12 euro', '15 euro \u001b[2J'].entries())
    await new WatchedPages(store).visit(url, {
      at: 2000 + i * 100,
      outcome: i === 0 ? 'first' : 'changed',
      text: text(fee),
      title,
    })
  const { diffs, clock } = service.parts
  const writer = new InboxWriter({ store, collection, diffs, clock })
  await writer.catchUp()
  return { ...service, writer }
}

describe('/api/changes', () => {
  it('gives what changed, newest first, in the words of the part that was compared', async () => {
    const { ask, writer } = await changedTwice()
    const { json } = await ask('GET', '/api/changes')
    const found = (json as { changes: { removed: string; added: string; title: string }[] }).changes
    expect(found.map(({ removed, added }) => [removed, added])).toEqual([
      [
        'The yearly fee of this account is 12 euro and is due in May.',
        'The yearly fee of this account is 15 euro \\u001b[2J and is due in May.',
      ],
      [
        'The yearly fee of this account is 10 euro and is due in May.',
        'The yearly fee of this account is 12 euro and is due in May.',
      ],
    ])
    expect(found[0]).toMatchObject({
      seen: false,
      previous: 2100,
      title: 'Terms & <img src=x onerror=alert(1)>',
      page: { url, host: 'a.example', tags: ['legal'] },
    })
    await writer.catchUp()
    expect((await ask('GET', '/api/changes')).json).toEqual(json)
  })

  it('leaves out lists, which are followed for the pages that they name, and goes by own titles', async () => {
    const store = openMemoryStore()
    const { ask, parts } = await aService({ store })
    const list = 'https://a.example/sitemap.xml'
    const pages = [
      { url: list, settings: { role: 'list' } },
      { url, settings: { title: 'My terms' } },
    ]
    await store.addPages({ collection, now: 1000, pages })
    for (const [i, fee] of ['10 euro', '12 euro', '15 euro'].entries())
      for (const each of [list, url])
        await new WatchedPages(store).visit(each, {
          at: 2000 + i * 100,
          outcome: i === 0 ? 'first' : 'changed',
          text: text(fee),
          title,
        })
    const { diffs, clock } = parts
    const writer = new InboxWriter({ store, collection, diffs, clock })
    await writer.catchUp()
    await writer.catchUp()
    const { json } = await ask('GET', '/api/changes')
    const { changes } = json as { changes: { title: string; page: { url: string } }[] }
    expect(changes.map((each) => [each.page.url, each.title])).toEqual([
      [url, 'My terms'],
      [url, 'My terms'],
    ])
    const feed = (await ask('GET', '/feeds/changes.atom')).json as string
    expect(feed).toContain(url)
    expect(feed).not.toContain(list)
  })

  it('searches, counts and marks', async () => {
    const { ask } = await changedTwice()
    const numbers = async (query: string) =>
      (
        (await ask('GET', `/api/changes?${query}`)).json as { changes: { number: number }[] }
      ).changes.map(({ number }) => number)
    const [newest, oldest] = await numbers('')
    expect(await numbers('search=15+yearly')).toEqual([newest])
    expect(await numbers('search=terms&group=legal')).toEqual([newest, oldest])
    expect(await numbers('group=other')).toEqual([])
    expect(await numbers('limit=1')).toEqual([newest])
    expect(await numbers(`before=${newest}`)).toEqual([oldest])
    expect((await ask('GET', '/api/changes/unseen')).json).toEqual({
      unseen: 2,
      groups: [{ name: 'legal', unseen: 2 }],
    })
    expect((await ask('POST', '/api/changes/seen', { numbers: [oldest] })).json).toEqual({
      marked: 1,
    })
    expect(await numbers('unseen=true')).toEqual([newest])
    expect((await ask('POST', '/api/changes/seen', {})).json).toEqual({ marked: 1 })
    expect(await numbers('unseen=true')).toEqual([])
    expect((await ask('POST', '/api/changes/seen', { numbers: ['x'] })).status).toBe(400)
    expect((await ask('GET', '/api/changes?serch=x')).status).toBe(400)
  })
})
