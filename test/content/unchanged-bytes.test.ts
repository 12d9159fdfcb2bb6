import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { judgedVisits, jumpingClock } from '../../bench/noise/judged-visits.mjs'
import * as crawler from '../../src/crawler/index.js'
import * as fetch from '../../src/fetch/index.js'
import { Random } from '../../src/numeric/random.js'
import * as schedule from '../../src/policies/index.js'
import * as store from '../../src/store/index.js'
import { localServer } from '../fixtures/local-server.js'

const parts = { ...crawler, ...schedule, ...store, Random }

it('an unchanged visit with honest validators costs less than 1 KB on the wire, both ways', async () => {
  const sockets = new Set<Socket>()
  const wire = () => [...sockets].reduce((sum, each) => sum + each.bytesRead + each.bytesWritten, 0)
  const headers = { etag: '"5f1a-1"', 'last-modified': 'Tue, 14 Nov 2023 22:13:20 GMT' }
  let whole = 0
  let reported = 0
  let before = 0
  const base = await localServer((request, response) => {
    sockets.add(request.socket)
    if (request.url === '/robots.txt') return response.writeHead(404).end()
    if (request.headers['if-none-match'] === headers.etag) {
      reported++
      return response.writeHead(304, headers).end()
    }
    whole++
    response.writeHead(200, { ...headers, 'content-type': 'text/html' })
    response.end(`<p>${'text '.repeat(20_000)}`)
    // All that comes after the last whole answer is of unchanged visits.
    return response.on('finish', () => {
      before = wire()
    })
  })
  const clock = jumpingClock()
  const who = { contact: 'https://example.org/about-the-crawler', version: '0.0.0' }
  const fetcher = new fetch.HttpFetcher({ clock, ...who, allowedNetworks: ['127.0.0.0/8'] })
  const page = { name: 'still', fast: false, version: () => 1, change() {}, render: () => '' }
  const visits = {
    visits: 40,
    random: () => 1,
    noiseCheck: true,
    fetcher,
    delay: 1,
    url: `${base}/`,
  }
  const judged = await judgedVisits({ ...parts, clock }, { page, ...visits })
  expect(judged).toMatchObject({ visits: 40, false: 0, faults: [] })
  // The first visit is made twice; robots.txt of another day may be among the rest.
  expect({ whole, reported }).toEqual({ whole: 2, reported: 40 })
  expect((wire() - before) / reported).toBeLessThan(1000)
})
