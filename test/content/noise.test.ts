import { describe, expect, it } from 'vitest'
import { judgedVisits, jumpingClock } from '../../bench/noise/judged-visits.mjs'
import { noisyPages } from '../../bench/noise/noisy-pages.mjs'
import * as crawler from '../../src/crawler/index.js'
import * as fetch from '../../src/fetch/index.js'
import { Random } from '../../src/numeric/random.js'
import * as schedule from '../../src/policies/index.js'
import * as store from '../../src/store/index.js'
import { localServer } from '../fixtures/local-server.js'

const parts = { ...crawler, ...schedule, ...store, Random }
const all = noisyPages(() => 0)
const names = all
  .filter(({ rotating }) => rotating !== true)
  .map(({ name, fast }) => ({ name, fast }))
const rotating = all.filter((page) => page.rotating === true).map(({ name }) => name)

function pageNamed(name: string, seed: number) {
  const random = new Random(seed)
  const uniform = () => random.uniform()
  const page = noisyPages(uniform).find((each) => each.name === name)!
  return { page, random: uniform }
}

describe('a page with noise, by the loop', () => {
  it.each(names)('$name: no false change, every true one seen', async ({ name, fast }) => {
    const reported = { ...pageNamed(name, 5), visits: 250, noiseCheck: true }
    const { false: wrong, missed, changes, masks, faults } = await judgedVisits(parts, reported)
    expect({ wrong, missed, faults }).toEqual({ wrong: 0, missed: 0, faults: [] })
    expect(changes).toBeGreaterThan(25)
    // A fast page is never masked because it is fast.
    if (fast) expect(masks).toEqual([])
  })

  it.each(rotating)('%s: no false change after ten visits, every true one seen', async (name) => {
    const reported = { ...pageNamed(name, 5), visits: 200, noiseCheck: true }
    const judged = await judgedVisits(parts, reported)
    const { falseLater, missed, changes, masks } = judged
    expect({ falseLater, missed }).toEqual({ falseLater: 0, missed: 0 })
    expect(changes).toBeGreaterThan(25)
    expect(masks.map(({ kind }) => kind)).toContain('rotating')
  })

  it('hides texts that are new among those that take turns only where the page’s settings say so', async () => {
    const judged = async (settings: { hideNewTexts?: boolean }) => {
      const { page, random } = pageNamed('ten in turn', 5)
      let made = 0
      const growing = {
        ...page,
        visit() {
          page.visit?.()
          made++
        },
        // From the sixtieth visit on, every fourth has an advertisement of a new campaign.
        render: () =>
          made > 60 && made % 4 === 0
            ? page
                .render()
                .replace(/<aside><p>[^<]*/, `<aside><p>Campaign${made} sells hats${made}`)
            : page.render(),
      }
      return judgedVisits(parts, { page: growing, random, visits: 200, noiseCheck: true, settings })
    }
    // 35 of 140 visits; a true change of the article hides one now and then.
    expect((await judged({})).falseLater).toBeGreaterThan(20)
    expect(await judged({ hideNewTexts: true })).toMatchObject({ falseLater: 0, missed: 0 })
  })

  it('counts noise as changes where pages are not re-checked', async () => {
    const judged = await judgedVisits(parts, {
      ...pageNamed('all', 5),
      visits: 50,
      noiseCheck: false,
    })
    expect(judged.false).toBeGreaterThan(20)
  })

  it('holds for words and links, with session ids in links', async () => {
    const reading = { compare: 'words-and-links' }
    const reported = { ...pageNamed('all', 6), visits: 100, reading, noiseCheck: true }
    const judged = await judgedVisits(parts, reported)
    expect(judged).toMatchObject({ false: 0, missed: 0 })
    expect(judged.masks.map(({ kind }) => kind)).toContain('link')
  })

  it('holds over HTTP, through the gate and with its delay, and counts the bytes of repeats', async () => {
    const { page, random } = pageNamed('all', 7)
    let sent = 0
    const base = await localServer((request, response) => {
      if (request.url === '/robots.txt') return response.writeHead(404).end()
      const body = page.render()
      sent += body.length
      return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body)
    })
    const clock = jumpingClock()
    const who = { contact: 'test@example.org', version: '0', allowedNetworks: ['127.0.0.0/8'] }
    const fetcher = new fetch.HttpFetcher({ clock, ...who })
    const url = `${base}/`
    const reported = { page, random, visits: 100, noiseCheck: true, fetcher, delay: 2, url }
    const judged = await judgedVisits({ ...parts, clock }, reported)
    expect(judged).toMatchObject({ false: 0, missed: 0, bytes: sent })
  })
})
