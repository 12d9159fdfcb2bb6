import { parseAtomFeed } from 'feedsmith'
import { describe, expect, it, onTestFinished } from 'vitest'
import { VersionDiffs } from '../../dist/content/index.js'
import { VersionDiffs as InPlace } from '../../src/content/bounded/version-diffs.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { start, WatchedPages } from '../notify/watched-pages.js'
import { aService } from './a-service.js'

// The built package, because Node 20 runs no TypeScript in a worker thread.

const url = 'https://a.example/'

/** A page seen twice, and a service that compares it. */
async function changed(texts: readonly [string, string], diffs = new InPlace()) {
  const pages = new WatchedPages(openMemoryStore())
  await pages.add(url)
  await pages.visit(url, { at: start, outcome: 'first', text: texts[0] })
  await pages.visit(url, { at: start + 1, outcome: 'changed', text: texts[1] })
  const service = await aService({ store: pages.store, parts: { diffs } })
  return { pages, ...service }
}

describe('the difference of two versions over HTTP', () => {
  it('says in words where nothing that is compared differs, and what a copy lacks', async () => {
    const texts = ['<b>old</b> <i>same</i>', '<b>new</b> <i>same</i>'] as const
    const { ask, store } = await changed(texts)
    const read = (reading: object) => ask('PATCH', '/api/pages/1', { settings: { reading } })
    const diff = async (query = '') => await ask('GET', `/api/pages/1/diff${query}`)
    await read({ select: ['i'] })
    expect((await diff()).json).toMatchObject({
      whole: false,
      note: 'nothing that is compared of this page is different; whole=true compares all of it',
      lines: [{ kind: 'same', text: 'same' }],
    })
    const feed = await ask('GET', '/feeds/changes.atom')
    expect(parseAtomFeed(feed.json as string).entries?.[0]?.content?.value).toMatch(
      /^What is compared of this page is the same in both copies: its rules or masks have changed/,
    )
    await read({ select: ['.nowhere'] })
    const unread = await diff()
    expect(unread.status).toBe(422)
    expect(unread.json).toMatchObject({
      error: {
        code: 'not-compared',
        message:
          'the copy of 2023-11-14T22:13:20Z cannot be read by the rules of this page: nothing on the page is selected by .nowhere; whole=true compares all of it',
      },
    })
    expect((await diff('?whole=true')).json).toMatchObject({ whole: true, note: null })
    expect((await diff('?whole=perhaps')).status).toBe(400)
    const [version] = await store.versionsOf({ id: '1' })
    expect(
      (await diff(`?whole=true&from=${version!.digest}&to=${version!.digest}`)).json,
    ).toMatchObject({ note: 'nothing that a reader sees is different' })
  })

  it('that takes too long is given up and says so; the service answers others meanwhile', async () => {
    const long = (word: string) =>
      Array.from({ length: 60_000 }, (_, i) => `<p>${word} ${i}</p>`).join('')
    const diffs = new VersionDiffs({ time: 0.001 })
    onTestFinished(() => diffs.close())
    const { ask } = await changed([long('a'), long('b')], diffs as unknown as InPlace)
    const [slow, health] = await Promise.all([
      ask('GET', '/api/pages/1/diff'),
      ask('GET', '/health'),
    ])
    expect(health.status).toBe(200)
    const { json } = await ask('GET', '/api/pages/1/versions')
    const [{ digest }] = (json as { versions: [{ digest: string }] }).versions
    expect(await ask('GET', `/api/pages/1/versions/${digest}/text`)).toMatchObject({
      status: 422,
      json: { error: { code: 'unreadable' } },
    })
    expect(slow.json).toMatchObject({
      error: {
        code: 'not-compared',
        message:
          'the difference could not be found: reading it took longer than 0.001 s; whole=true compares all of it',
      },
    })
  })
})
