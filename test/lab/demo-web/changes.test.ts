import { describe, expect, it } from 'vitest'
import { demoOrigin } from '../../../src/lab/demo-web/demo-web.js'
import { DAY } from '../../../src/model/units.js'
import { ask, openWeb } from './open-web.js'
import { SettableClock } from './settable-clock.js'

describe('the pages', () => {
  it('change exactly when the truth says, and never between', async () => {
    const { web, clock } = await openWeb({ pages: 60 })
    clock.at = demoOrigin + 20 * DAY
    const now = clock.at
    const plain = web.truth().filter((page) => page.access === 'plain' && page.changes >= 3)
    expect(plain.length).toBeGreaterThan(15)
    for (const { url } of plain) {
      const changes = web.changesBetween(url, { from: demoOrigin, to: now })
      let before = ''
      for (const [i, change] of changes.slice(0, 4).entries()) {
        const gap = (changes[i + 1] ?? now) - change
        clock.at = change - 1e-6
        const last = (await ask(url)).text
        if (before !== '') expect(last).toBe(before)
        clock.at = change + gap / 2
        before = (await ask(url)).text
        expect(before).not.toBe(last)
      }
      clock.at = now
    }
  })

  it('are the same for the same seed, whenever asked, and others for another', async () => {
    const all = await Promise.all([
      openWeb({ pages: 40 }),
      openWeb({ pages: 40 }),
      openWeb({ pages: 40, seed: 8 }),
    ])
    const paths = (web: (typeof all)[number]['web']) =>
      web.truth().map(({ url, requests, ...rest }) => ({ ...rest, path: new URL(url).pathname }))
    const [one, two, other] = all
    for (let day = 0; day < 30; day++) {
      two!.clock.at = demoOrigin + day * DAY
      two!.web.truth()
    }
    for (const { clock } of all) clock.at = demoOrigin + 30 * DAY
    expect(paths(one!.web)).toEqual(paths(two!.web))
    expect(paths(one!.web)).not.toEqual(paths(other!.web))
    const texts = await Promise.all(
      all.map(({ web }) => Promise.all(web.sites.map(({ base }) => ask(`${base}/`)))),
    )
    const bodies = texts.map((site) => site.map(({ text }) => text))
    expect(bodies[0]).toEqual(bodies[1])
    expect(bodies[0]).not.toEqual(bodies[2])
  })

  it('a later clock takes up an earlier run', async () => {
    const { web, clock } = await openWeb({ pages: 20 })
    clock.at = demoOrigin + 50 * DAY
    const again = await openWeb({
      pages: 20,
      clock: new SettableClock(clock.at),
    })
    expect(again.web.truth().map(({ changes }) => changes)).toEqual(
      web.truth().map(({ changes }) => changes),
    )
  })

  it('count on past the changes that are forgotten', async () => {
    const { web, clock } = await openWeb({ pages: 20, changesKept: 8 })
    const whole = await openWeb({ pages: 20 })
    clock.at = whole.clock.at = demoOrigin + 300 * DAY
    expect(web.truth().map(({ changes }) => changes)).toEqual(
      whole.web.truth().map(({ changes }) => changes),
    )
    const busiest = web.truth().sort((a, b) => b.changes - a.changes)[0]!
    expect(busiest.changes).toBeGreaterThan(100)
    expect(() => web.changesBetween(busiest.url, { from: demoOrigin, to: clock.at })).toThrow(
      /forgotten/,
    )
  })
})
