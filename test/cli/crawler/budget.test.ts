import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MadePlan } from '../../../src/cli/commands/plan/text.js'
import { DAY } from '../../../src/model/units.js'
import { ledgerSetting } from '../../../src/planner/collection/budget.js'
import { stateSummary } from '../../../src/planner/learned-step.js'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { type CrawledSite, crawledSite } from '../../fixtures/crawled-site.js'

const pages = 24
const days = 12

/** Daily visits up to yesterday; page i changed every (i % 6 + 1)th day. */
async function followed(): Promise<CrawledSite> {
  const site = await crawledSite()
  const from = Math.floor(Date.now() / 1000) - days * DAY
  const rows = ['url,at,changed']
  for (let page = 0; page < pages; page++)
    for (let day = 0; day < days; day++)
      rows.push(
        `https://h${page % 3}.example/${page},${from + day * DAY + page},${day % ((page % 6) + 1) === 0}`,
      )
  writeFileSync(join(site.folder, 'log.csv'), rows.join('\n'))
  expect((await site.revisit(['import', join(site.folder, 'log.csv')])).code).toBe(0)
  return site
}

describe('revisit plan', () => {
  it('tells what a budget brings, a fifth fewer and more, by host, in words and for programs', async () => {
    const { folder, revisit } = await followed()
    const csv = join(folder, 'plan.csv')
    const html = join(folder, 'plan.html')
    const { code, out } = await revisit(['plan', '--budget', '12', '--csv', csv, '--html', html])
    expect(code).toBe(0)
    expect(out).toMatch(/^24 pages with 1\d(\.\d)? requests a day \(0\.\d+ a page\): copies fresh/)
    expect(out).toContain('Freshness by requests a day')
    expect(out).toMatch(/\nh0\.example +8 /)
    const plan = JSON.parse((await revisit(['plan', '--budget', '12', '--json'])).out) as MadePlan
    // Gaps are whole hours, so a budget is met to some percent.
    expect(Math.abs(plan.now.requestsPerDay / 12 - 1)).toBeLessThan(0.1)
    expect(plan.fewer.freshness).toBeLessThan(plan.now.freshness)
    expect(plan.more.freshness).toBeGreaterThan(plan.now.freshness)
    const byHost = plan.hosts.reduce((sum, host) => sum + host.requestsPerDay, 0)
    expect(byHost).toBeCloseTo(plan.now.requestsPerDay, 6)
    const curve = plan.curve.map((point) => point.freshness)
    expect(curve).toEqual([...curve].sort((a, b) => a - b))
  })

  it('says what keeps requests from meeting the budget: own policies, limits, both or neither', async () => {
    const { folder, revisit } = await followed()
    const cause = async (...options: string[]) =>
      (await revisit(['plan', ...options])).out.split('\n\n')[0]!.split('\n').slice(1)
    expect(await cause('--budget', '12')).toEqual([])
    const limits = ['limits on gaps keep requests from meeting the budget']
    expect(await cause('--budget', '0.001')).toEqual(limits)
    expect(await cause('--budget', '1000000', '--shortest-gap', '1d')).toEqual(limits)
    expect(await cause('--budget', '1000000')).toEqual([
      'more requests are not planned: the value of each would be below 21 seconds of freshness',
    ])
    const own = Array.from({ length: 20 }, (_, page) => `https://h${page % 3}.example/${page}`)
    writeFileSync(join(folder, 'own.txt'), own.join('\n'))
    const fixed = ['watch', join(folder, 'own.txt'), '--policy', 'fixed:gap=1h']
    expect((await revisit(fixed)).code).toBe(0)
    // Nobody has planned their visits anew yet: they are as far apart as before, about a day.
    expect(await cause('--budget', '12')).toEqual([
      expect.stringMatching(
        /^20 pages with longest gaps or policies of their own ask for (19|20)\.?\d* requests a day \(.* and 17 more\), the budget is 12; the other 4 pages keep 1, half of what would be theirs: about 2\d\.?\d* a day will be spent$/,
      ),
    ])
    const plan = JSON.parse((await revisit(['plan', '--budget', '12', '--json'])).out) as MadePlan
    // The other four keep their half, and are not put off to their longest gaps.
    expect(plan).toMatchObject({ budget: 12, ownPolicies: 20, atLimits: 0 })
    expect(Math.abs(plan.ownRequestsPerDay - 20)).toBeLessThan(1)
    const all = await revisit(['plan', '--budget', '12', '--policy', 'fixed:gap=1h'])
    expect(all.out).toContain('own policies of 24 pages ask for')
    expect(all.out).toContain('policies of their own leave no choice')
    expect(all.out).not.toMatch(/limits|price of a request/)
  })

  it('refuses budgets and samples that are none, and an empty collection', async () => {
    const { revisit } = await followed()
    expect((await revisit(['plan', '--budget', '0'])).err).toMatch(/--budget takes requests a day/)
    expect((await revisit(['plan', '--sample', 'x'])).err).toMatch(/--sample takes a whole number/)
    expect((await revisit(['plan', '--budget', 'none'])).err).toMatch(/no budget to plan with/)
    const empty = await revisit(['plan', '--collection', 'other'])
    expect([empty.code, empty.err]).toEqual([2, expect.stringContaining('no page is watched')])
  })
})

describe('revisit prior', () => {
  it('learns from the store or a log, shows it, and takes it elsewhere as a file', async () => {
    const { folder, revisit } = await followed()
    expect((await revisit(['prior', 'show'])).out).toContain('shipped with Revisit')
    const fitted = await revisit(['prior', 'fit'])
    expect(fitted.out).toMatch(/from 24 pages of collection "default", 264 comparisons; 3 groups/)
    const shown = (await revisit(['prior', 'show'])).out
    expect(shown).toMatch(/1 to 7 days +\d+% █+/)
    expect(shown).toContain('h1.example: 8 pages')
    const store = await openSqliteStore({ path: join(folder, 'revisit.db'), readOnly: true })
    // 24 pages compared 11 times: a run learns its own only once there are half as many again.
    expect(await store.getSetting('default', 'auto-comparisons')).toBe(264)
    await store.close()
    const file = join(folder, 'prior.json')
    expect((await revisit(['prior', 'export', file])).code).toBe(0)
    const taken = await revisit(['prior', 'import', file, '--collection', 'other'])
    expect(taken.out).toContain('the prior of collection "other" is now one learned by EM')
    const logged = await revisit(['prior', 'fit', join(folder, 'log.csv'), '--json'])
    expect(JSON.parse(logged.out).whole.pages).toBe(24)
  })

  it('refuses files that are no prior, saying why', async () => {
    const { folder, revisit } = await followed()
    const file = join(folder, 'bad.json')
    for (const [text, why] of [
      ['{"format":', 'it is not JSON'],
      ['{"format":"other"}', 'it has no "format": "revisit-auto-prior"'],
      [
        '{"format":"revisit-auto-prior","version":1,"how":"x","whole":{"masses":[1]}}',
        'the masses of "whole" must be a list of 100 numbers',
      ],
    ] as const) {
      writeFileSync(file, text)
      const { code, err } = await revisit(['prior', 'import', file])
      expect(code).toBe(2)
      expect(err).toContain(why)
      expect(err).toContain('bad.json')
    }
    expect((await revisit(['prior', 'look'])).err).toContain('takes show, fit, export, import')
  })
})

describe('the default policy', () => {
  it('gives the reason for the next visit in a sentence, and the change law it assumes', async () => {
    const { revisit } = await followed()
    const slower = (await revisit(['show', 'https://h1.example/1'])).out
    expect(slower).toMatch(/because +unchanged .*; .*; value [\d.]+x the price of a request\n/)
    const { out } = await revisit(['show', 'https://h0.example/0'])
    expect(out).toMatch(
      /because +changed at the last visit; .*; too fast to follow for the price of a request\n/,
    )
    expect(out).toMatch(/change law +changes /)
    expect(out).toMatch(/copy +(\d+% likely to be stale|stale) by now/)
    const json = JSON.parse((await revisit(['show', 'https://h0.example/0', '--json'])).out)
    expect(json.estimate.method).toBe('auto')
    expect(json.posterior.changedByNow).toBeGreaterThan(0.5)
  })

  it('takes over a store that another policy followed, and stores price and prior', async () => {
    const site = await crawledSite({ '/a': { body: 'a' }, '/b': { body: 'b' } })
    const { base, folder, pages: content, revisit, makeDue } = site
    await revisit(['watch', `${base}/a`, `${base}/b`])
    for (const text of ['x', 'y', 'z']) {
      expect((await revisit(['run', '--once', '--policy', 'malcolm-armitage'])).code).toBe(0)
      content['/a'] = { body: text }
      await makeDue()
    }
    expect((await revisit(['run', '--once'])).code).toBe(0)
    const store = await openSqliteStore({ path: join(folder, 'revisit.db'), readOnly: true })
    const { pages: kept } = await store.listPages({ collection: 'default', limit: 10 })
    const ledger = await store.getSetting('default', ledgerSetting)
    await store.close()
    for (const page of kept) {
      expect(page.state!.learner).toBe('auto/auto')
      // All recorded visits are in the state: nothing was forgotten.
      const { visits, changes } = page
      expect(stateSummary(page.state)).toMatchObject({ visits, changes })
    }
    expect(kept.find((page) => page.url.endsWith('/a'))!.changes).toBeGreaterThan(1)
    expect(ledger).toMatchObject({ requestsPerDay: 2, pages: 2 })
  })

  it('keeps the limits of a page, and puts a page on a policy of its own', async () => {
    const { base, revisit } = await crawledSite({ '/a': { body: 'a' }, '/b': { body: 'b' } })
    await revisit(['watch', `${base}/a`, '--shortest', '100d', '--longest', '100d'])
    await revisit(['watch', `${base}/b`, '--policy', 'fixed:gap=3h'])
    await revisit(['run', '--once'])
    const gapOf = async (path: string) => {
      const page = JSON.parse((await revisit(['show', `${base}${path}`, '--json'])).out)
      return page.due.at - page.lastSeen
    }
    expect(await gapOf('/a')).toBeCloseTo(100 * DAY, 3)
    expect(await gapOf('/b')).toBeCloseTo(3 * 3600, 3)
    // A new word counts at once, not after the visit that was planned by the old one.
    await revisit(['watch', `${base}/a`, '--shortest', '1d', '--longest', '2d'])
    expect(await gapOf('/a')).toBeLessThanOrEqual(2 * DAY)
    expect((await revisit(['show', `${base}/a`])).out).toMatch(/longest gap +2 days\n/)
    await revisit(['watch', `${base}/b`, '--policy', 'fixed:gap=2h'])
    expect(await gapOf('/b')).toBeCloseTo(2 * 3600, 3)
    await revisit(['watch', `${base}/a`, '--policy', 'fixed:gap=30h'])
    expect(await gapOf('/a')).toBeCloseTo(30 * 3600, 3)
    const bad = await revisit(['watch', `${base}/a`, '--shortest', '2d', '--longest', '1d'])
    expect(bad.err).toContain('--shortest must not be longer than --longest')
  })
})

describe('revisit run with another policy or other limits', () => {
  it('plans the visits of all pages by them', async () => {
    const { base, revisit } = await crawledSite({ '/a': { body: 'a' } })
    await revisit(['watch', `${base}/a`])
    const gapAfter = async (...args: readonly string[]) => {
      expect((await revisit(['run', '--once', ...args])).code).toBe(0)
      const page = JSON.parse((await revisit(['show', `${base}/a`, '--json'])).out)
      return page.due.at - page.lastSeen
    }
    // A page seen once is visited again after about three hours, spread by its address.
    expect(await gapAfter()).toBeGreaterThan(2.5 * 3600)
    expect(await gapAfter('--longest-gap', '2h')).toBeCloseTo(2 * 3600, 3)
    expect(await gapAfter('--policy', 'fixed:gap=1h')).toBeCloseTo(3600, 3)
    expect(await gapAfter()).toBeGreaterThan(2.5 * 3600)
  })
})

describe('revisit evaluate --own', () => {
  it('replays what the store recorded, and says what is known only between visits', async () => {
    const { folder, revisit } = await followed()
    const database = join(folder, 'revisit.db')
    const args = ['--own', '--database', database, '--budget', '0.5,2', '--policies', 'equal,auto']
    const { code, out, err } = await revisit(['evaluate', ...args])
    expect(code).toBe(0)
    expect(out).toMatch(/All pages: 24 of 3 sources, with \d+ changes/)
    expect(out).toMatch(/\nauto +0\.\d{4}/)
    expect(err).toMatch(/recorded by 1 visits a page and day; a change is known to lie between/)
    expect(err).toMatch(/with 2 visits a page and day, more than were made, results flatter/)
    expect((await revisit(['evaluate', ...args])).out).toBe(out)
    const none = await revisit(['evaluate', '--own', '--database', database, '--collection', 'no'])
    expect(none.err).toContain('no page of collection "no" was seen twice')
  })
})
