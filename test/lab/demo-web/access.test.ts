import { describe, expect, it } from 'vitest'
import { faultAt } from '../../../src/lab/demo-web/answer.js'
import { demoOrigin } from '../../../src/lab/demo-web/demo-web.js'
import { DAY, HOUR } from '../../../src/model/units.js'
import { ask, openWeb } from './open-web.js'

async function pagesOf(access: string) {
  const { web, clock } = await openWeb()
  const pages = web.truth().filter((page) => page.access === access)
  expect(pages.length).toBeGreaterThan(0)
  return { web, clock, pages }
}

describe('pages that do not just answer', () => {
  it('gone pages go, and change no more', async () => {
    const { web, clock, pages } = await pagesOf('gone')
    for (const { url, goneAt } of pages) {
      clock.at = goneAt! - 1e-3
      expect((await ask(url)).status).toBe(200)
      clock.at = goneAt!
      expect((await ask(url)).status).toBe(410)
    }
    const changes = () =>
      web
        .truth()
        .filter((page) => page.access === 'gone')
        .map((page) => page.changes)
    clock.at = demoOrigin + 40 * DAY
    const before = changes()
    clock.at = demoOrigin + 400 * DAY
    expect(changes()).toEqual(before)
  })

  it('forbidden pages refuse, disallowed ones answer and count it', async () => {
    const { web, pages } = await pagesOf('forbidden')
    for (const { url } of pages) expect((await ask(url)).status).toBe(403)
    const closed = web.truth().filter((page) => page.access === 'disallowed')
    expect(web.requests().disallowed).toBe(0)
    for (const { url } of closed) expect((await ask(url)).status).toBe(200)
    expect(web.requests().disallowed).toBe(closed.length)
  })

  it('moved pages send on to a page that answers, whose changes are theirs', async () => {
    const { web, clock, pages } = await pagesOf('moved')
    clock.at = demoOrigin + 30 * DAY
    const statuses = new Set<number>()
    for (const { url } of pages) {
      const { status, header } = await ask(url)
      statuses.add(status)
      const [moved, target] = [url, header('location')!].map((each) =>
        web.truth().find((page) => page.url === each),
      )
      expect(target!.access).toBe('plain')
      expect(moved!.changes).toBe(target!.changes)
      const span = { from: demoOrigin, to: clock.at }
      expect(web.changesBetween(url, span)).toEqual(web.changesBetween(target!.url, span))
      expect((await ask(header('location')!)).status).toBe(200)
    }
    for (const status of statuses) expect([301, 302, 307, 308]).toContain(status)
    expect(statuses.size).toBeGreaterThan(1)
  })

  it('failing pages fail in spells: an error, a busy server, no answer', async () => {
    const { web, clock, pages } = await pagesOf('failing')
    const seen = new Map<string, number>()
    for (const { url } of pages)
      for (let spell = 0; spell < 30; spell++) {
        clock.at = demoOrigin + spell * 6 * HOUR + 1000
        const answer = await ask(url).catch(() => null)
        const kind = answer === null ? 'none' : String(answer.status)
        seen.set(kind, (seen.get(kind) ?? 0) + 1)
        if (kind === '503') {
          clock.at += Number(answer!.header('retry-after'))
          expect(clock.at % (6 * HOUR)).toBe(0)
        }
      }
    expect([...seen.keys()].sort()).toEqual(['200', '500', '503', 'none'])
    expect(seen.get('200')).toBeGreaterThan(30 * pages.length * 0.6)
    expect(web.requests().unanswered).toBe(seen.get('none'))
    expect(web.requests().byStatus['500']).toBe(seen.get('500'))
  })

  // A share of 1/4 of 40,000 spells: standard deviation 0.2%.
  it('faults are as frequent as said', () => {
    const kinds = Array.from({ length: 40_000 }, (_, spell) =>
      faultAt(spell * 6 * HOUR, { seed: 1, page: 3 }),
    )
    const shareOf = (kind: string) =>
      kinds.filter((fault) => fault?.kind === kind).length / kinds.length
    expect(shareOf('error')).toBeCloseTo(1 / 8, 2)
    expect(shareOf('busy')).toBeCloseTo(1 / 16, 2)
    expect(shareOf('hang')).toBeCloseTo(1 / 16, 2)
  })

  it('slow pages answer what they say at the end of the wait', async () => {
    const { web, clock } = await openWeb({ delays: { slow: 0.3 } })
    clock.at = demoOrigin + 30 * DAY
    const now = clock.at
    const pageNow = () => web.truth().find(({ access }) => access === 'slow')!
    const { url, lastChange } = pageNow()
    clock.at = lastChange - 1e-3
    const before = (await ask(url)).text
    const waiting = ask(url)
    while (pageNow().requests < 2) await new Promise(setImmediate)
    clock.at = now
    expect((await waiting).text).not.toBe(before)
  })
})
