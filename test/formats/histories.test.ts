import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PageByPage, type PageHistory } from '../../src/formats/histories/page-by-page.js'
import {
  AnyTimeHistories,
  ForwardHistories,
  type PageHistories,
} from '../../src/formats/histories/page-histories.js'
import { Problems } from '../../src/formats/problems.js'
import { readVisits } from '../../src/formats/visit-log/read-visits.js'
import { type History, historyOf, outcomes, type Visit } from '../../src/model/history.js'
import { Random } from '../../src/numeric/random.js'
import { testNow as now, pieces } from '../fixtures/read-text.js'

async function forward(text: string) {
  const histories = new ForwardHistories({ now })
  const problems = new Problems()
  await readVisits(pieces(text, 5000), histories.take, { now, problems })
  return { histories, problems, found: listed(histories) }
}

async function anyTime(text: string) {
  const histories = new AnyTimeHistories({ now })
  const problems = new Problems()
  await readVisits(pieces(text, 1000), histories.take, { now, problems })
  histories.finish(problems)
  return { histories, problems, found: listed(histories) }
}

async function pageByPage(text: string) {
  const found: PageHistory[] = []
  const histories = new PageByPage({ now, each: (page) => found.push(page) })
  const problems = new Problems()
  await readVisits(pieces(text, 1000), histories.take, { now, problems })
  histories.finish()
  return { histories, problems, found }
}

function listed(histories: PageHistories): PageHistory[] {
  return Array.from({ length: histories.pages }, (_, page) => ({
    url: histories.url(page),
    history: histories.history(page),
  }))
}

const T = 1714521600
const all = { forward, anyTime, pageByPage }

describe.each(Object.entries(all))('%s', (_, read) => {
  it('makes the histories of a log with digests: a new digest is a change', async () => {
    const { found, problems } = await read(
      [
        'url,at,digest',
        `a,${T},X`,
        `a,${T + 10},X`,
        `a,${T + 30},`,
        `a,${T + 60},Y`,
        `b,${T},`,
      ].join('\n'),
    )
    expect(problems.total).toBe(0)
    expect(found).toEqual([
      {
        url: 'a',
        history: {
          start: { at: T },
          observations: [
            { at: T + 10, gap: 10, changed: false },
            { at: T + 60, gap: 50, changed: true },
          ],
        },
      },
      { url: 'b', history: null },
    ])
  })

  it('never compares a 304, and keeps the digest before it', async () => {
    const line = (day: number, status: number, digest: string) =>
      `k 2024050${day}000000 u text/html ${status} ${digest} 1`
    const { found } = await read(
      [line(1, 200, 'A'), line(2, 304, 'E'), line(3, 200, 'A'), line(4, 200, 'B')].join('\n'),
    )
    expect(found[0]?.history?.observations.map((each) => each.changed)).toEqual([
      false,
      false,
      true,
    ])
    expect(found[0]?.url).toBe('u')
  })

  it('takes a digest after a visit without one for a first', async () => {
    const json = (at: number, rest: object) => JSON.stringify({ url: 'a', at: T + at, ...rest })
    const { found } = await read(
      [json(0, { changed: true }), json(5, { digest: 'x' }), json(9, { digest: 'x' })].join('\n'),
    )
    expect(found[0]?.history?.observations).toEqual([{ at: T + 9, gap: 4, changed: false }])
  })

  it('keeps Last-Modified, from whichever line on it appears', async () => {
    const { found } = await read(
      [
        'url,at,changed,last_modified',
        `a,${T},first,`,
        `a,${T + 100},1,${T + 40}`,
        `a,${T + 200},0,`,
        `a,${T + 300},0,${T + 40}`,
      ].join('\n'),
    )
    const observations = found[0]?.history?.observations
    expect(observations?.map((each) => each.contentAge)).toEqual([60, undefined, 260])
  })

  it('keeps the unchanged beginnings of gaps, from whichever line on they appear', async () => {
    const { found } = await read(
      [
        'url,at,changed,calm_for',
        `a,${T},first,`,
        `a,${T + 100},1,60.5`,
        `a,${T + 200},1,`,
        `a,${T + 300},1,100`,
        `a,${T + 400},1,long`,
      ].join('\n'),
    )
    const observations = found[0]?.history?.observations
    expect(observations?.map((each) => each.unchangedFor)).toEqual([60.5, ...Array(3)])
  })

  it('refuses equal times and times from the future, by line', async () => {
    const { found, problems } = await read(
      ['url,at,changed', `a,${T},1`, `a,${T},1`, `b,${now + 5},1`, `c,${T},failed`].join('\n'),
    )
    expect(problems.first.map(({ line, code }) => [line, code]).sort()).toEqual([
      [3, 'time-not-forward'],
      [4, 'time-in-future'],
    ])
    expect(found.map((page) => page.url)).toEqual(['a', 'c'])
  })

  it('refuses a URL that is not UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('url,at,changed\nh'),
      Buffer.of(0xff),
      Buffer.from(`,${T},1\n`),
    ])
    const { found, problems } = await read(bytes as unknown as string)
    expect(found).toEqual([])
    expect(problems.first).toMatchObject([{ line: 2, code: 'bad-text' }])
  })

  it('agrees with the model on any visits', async () => {
    const random = new Random(11)
    const pages = new Map<string, Visit[]>()
    const lines = ['url,at,unchanged_for,changed,last_modified']
    for (let p = 0; p < 30; p++) {
      const url = `https://e.org/${String(p).padStart(2, '0')}/é`
      const visits: Visit[] = []
      for (let at = T, i = 0; i < random.below(30); i++) {
        at += 1 + random.below(1000)
        const outcome = outcomes[random.below(outcomes.length)]!
        const dated = random.below(2) === 1
        const unchanged = random.below(2) === 1
        visits.push({
          ...{ at, outcome },
          ...(dated ? { lastModified: at - random.below(500) } : {}),
          ...(unchanged ? { unchangedFor: random.below(600) } : {}),
        })
        const { lastModified = '', unchangedFor = '' } = visits.at(-1)!
        lines.push(`${url},${at},${unchangedFor},${outcome},${lastModified}`)
      }
      if (visits.length > 0) pages.set(url, visits)
    }
    const { found } = await read(lines.join('\n'))
    const expected = [...pages].map(([url, visits]) => ({ url, history: historyOf(visits) }))
    expect(found).toEqual(expected)
  })
})

describe('ForwardHistories', () => {
  it('puts pages in the order of their first line, however they are mixed', async () => {
    const { found, histories } = await forward(
      ['url,at,changed', `b,${T},1`, `a,${T},1`, `b,${T + 5},1`, `a,${T + 7},0`].join('\n'),
    )
    expect(found.map(({ url, history }) => [url, history?.observations[0]?.gap])).toEqual([
      ['b', 5],
      ['a', 7],
    ])
    expect(histories.visits).toBe(4)
  })

  it('refuses backward times by line, and goes on from the last good one', async () => {
    const { found, problems } = await forward(
      ['url,at,changed', `a,${T + 5},1`, `a,${T},1`, `a,${T + 9},1`].join('\n'),
    )
    expect(problems.first).toMatchObject([{ line: 3, code: 'time-not-forward' }])
    expect(found[0]?.history?.observations.map((each) => each.gap)).toEqual([4])
  })

  it('holds about 16 bytes a visit, by its own account', async () => {
    const lines = ['url,at,changed']
    for (let day = 0; day < 48; day++)
      for (let p = 0; p < 4096; p++) lines.push(`https://e.org/${p},${T + day * 86400},${day & 1}`)
    const { histories } = await forward(lines.join('\n'))
    const { rows, rowBytes, pageBytes } = histories.held
    // By hand: 48 x 4,096 rows fill three chunks of 65,536; 4 + 8 bytes, and 4 to sort them.
    expect(rows).toBe(196_608)
    expect(rowBytes / rows).toBe(16)
    // The rest goes by pages: a block of URLs (2 MB) and one chunk of each column (3 MB) at least.
    expect(pageBytes).toBeLessThan(6e6)
  })

  it('tells apart keys that share a hash slot, a prefix or an end', async () => {
    const urls = Array.from({ length: 5000 }, (_, i) => `https://e.org/${(i * 7919) % 5000}/x`)
    const { found } = await forward(
      [
        'url,at,changed',
        ...urls.map((url) => `${url},${T},1`),
        ...urls.map((url) => `${url},${T + 1},0`),
      ].join('\n'),
    )
    expect(found.map((page) => page.url)).toEqual(urls)
    for (const { history } of found) expect(history?.observations).toHaveLength(1)
  })
})

describe('AnyTimeHistories', () => {
  it('makes of shuffled lines what the ordered lines make', async () => {
    const visits = fc.uniqueArray(
      fc.record({
        page: fc.integer({ min: 0, max: 4 }),
        at: fc.integer({ min: T, max: T + 50 }),
        digest: fc.constantFrom('', 'x', 'y'),
      }),
      { selector: ({ page, at }) => `${page} ${at}`, maxLength: 40 },
    )
    const text = (list: Array<{ page: number; at: number; digest: string }>) =>
      ['url,at,digest', ...list.map((v) => `p${v.page},${v.at},${v.digest}`)].join('\n')
    const byUrl = (found: PageHistory[]) =>
      new Map<string, History | null>(found.map(({ url, history }) => [url, history]))
    await fc.assert(
      fc.asyncProperty(visits, async (list) => {
        const ordered = await forward(text(list.toSorted((a, b) => a.at - b.at)))
        const shuffled = await anyTime(text(list))
        expect(byUrl(shuffled.found)).toEqual(byUrl(ordered.found))
        expect(shuffled.problems.total).toBe(0)
      }),
      { seed: 5, numRuns: 60 },
    )
  })
})

describe('PageByPage', () => {
  it('stops at a page out of order, saying what to do', async () => {
    const text = ['url,at,changed', `b,${T},1`, `a,${T},1`].join('\n')
    await expect(pageByPage(text)).rejects.toMatchObject({
      code: 'pages-not-sorted',
      line: 3,
      message: expect.stringMatching(/"a".*leave out --sorted, or sort/),
    })
  })

  it('orders by bytes, as LC_ALL=C sort does', async () => {
    const { found } = await pageByPage(
      ['url,at,changed', `B,${T},1`, `a,${T},1`, `ab,${T},1`, `é,${T},1`, `😀,${T},1`].join('\n'),
    )
    expect(found.map((page) => page.url)).toEqual(['B', 'a', 'ab', 'é', '😀'])
  })
})
