import { expect, it } from 'vitest'
import { aService, collection } from './a-service.js'

it('lists of other programs are followed with their settings, and what is left is listed', async () => {
  const { app, store } = await aService()
  const send = async (type: string, payload: string) => {
    const headers = { host: 'localhost', 'content-type': type }
    const answer = await app.inject({ method: 'POST', url: '/api/import/pages', headers, payload })
    return { status: answer.statusCode, json: answer.json() }
  }
  const jobs =
    'url: https://a.example/\nfilter:\n  - css: main\n  - xpath: //p\n---\nurl: http://127.0.0.1/\n'
  const first = await send('application/yaml', jobs)
  expect(first).toMatchObject({
    status: 200,
    json: {
      added: 1,
      already: 0,
      refused: 1,
      from: 'urlwatch',
      left: [{ entry: 'https://a.example/', what: 'filter xpath: //p' }],
    },
  })
  expect((await store.getPage({ collection, url: 'https://a.example/' }))?.settings).toMatchObject({
    reading: { select: ['main'] },
    noiseCheck: true,
  })
  expect((await send('application/yaml', jobs)).json).toMatchObject({
    added: 0,
    already: 1,
    changed: 0,
  })
  const paused = { watching: { x: { url: 'https://d.example/', paused: true } } }
  expect((await send('application/json', JSON.stringify(paused))).json).toMatchObject({ added: 1 })
  expect((await store.getPage({ collection, url: 'https://d.example/' }))?.due.at).toBe('never')
  const now = jobs.replace('css: main', 'css: article')
  expect((await send('application/yaml', now)).json).toMatchObject({ already: 1, changed: 1 })
  expect((await store.getPage({ collection, url: 'https://a.example/' }))?.settings).toMatchObject({
    reading: { select: ['article'] },
    noiseCheck: true,
  })
  const watch = { watching: { x: { url: 'https://b.example/', tag: 'news' } } }
  expect((await send('application/json', JSON.stringify(watch))).json).toMatchObject({ added: 1 })
  expect((await send('application/yaml', 'a: b')).status).toBe(400)
  expect((await send('text/plain', jobs)).status).toBe(415)
  const bare = await app.inject({
    method: 'POST',
    url: '/api/pages',
    headers: { host: 'localhost' },
    payload: { pages: [{ url: 'c.example/news' }] },
  })
  expect(bare.json()).toMatchObject({ added: 1 })
  expect(await store.getPage({ collection, url: 'https://c.example/news' })).not.toBe(null)
})
