import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ShownEstimate } from '../../../src/model/estimate.js'
import { DAY, HOUR } from '../../../src/model/units.js'
import { Random } from '../../../src/numeric/random.js'
import { crawledSite } from '../../fixtures/crawled-site.js'
import { byEquation2, type SeenGap } from '../../fixtures/grimes-ford-rule.js'

/** A log of pages by their gaps; negative where nothing changed. */
function logOf(pages: Readonly<Record<string, readonly number[]>>): string {
  const lines = ['url,at,changed']
  for (const [path, gaps] of Object.entries(pages)) {
    let at = 1_700_000_000
    lines.push(`https://a.example/${path},${at},first`)
    for (const gap of gaps) {
      at += Math.abs(gap)
      lines.push(`https://a.example/${path},${at},${gap > 0}`)
    }
  }
  return lines.join('\n')
}

const [c, u] = [69 * HOUR, 13 * HOUR]
const few = {
  seen: [],
  unchanged: [-50 * HOUR],
  changed: [c],
  mixed: [10 * HOUR, -30 * HOUR, 20 * HOUR, -5 * HOUR],
}

/** The law of log periods that a pair stands for, times the likelihood of gaps: its median, by summing a fine grid. */
function medianByGrid(gaps: readonly SeenGap[]): number {
  const nodes = Array.from({ length: 40_001 }, (_, i) => Math.exp(-2 + (i * 30) / 40_000))
  const logs = nodes.map((period) =>
    gaps.reduce(
      (sum, { gap, changed }) =>
        sum + (changed ? Math.log(-Math.expm1(-gap / period)) : -gap / period),
      0,
    ),
  )
  const peak = Math.max(...logs)
  const masses = logs.map((log) => Math.exp(log - peak))
  const half = masses.reduce((a, b) => a + b, 0) / 2
  let below = 0
  const middle = masses.findIndex((mass) => {
    below += mass
    return below >= half
  })
  return nodes[middle]!
}

/** A folder with two logs, and ways to ask about them. */
async function logs() {
  const site = await crawledSite()
  const log = (name: string) => join(site.folder, name)
  writeFileSync(log('few.csv'), logOf(few))
  writeFileSync(log('many.csv'), logOf(many()))
  const json = async <T>(...args: string[]): Promise<T> => {
    const { code, out, err } = await site.revisit([...args, '--json'])
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' })
    return JSON.parse(out) as T
  }
  const periods = async (...args: string[]) => {
    const found = await json<(ShownEstimate & { url: string })[]>('estimate', ...args)
    return Object.fromEntries(found.map((each) => [new URL(each.url).pathname.slice(1), each]))
  }
  return { ...site, log, json, periods, database: ['--database', log('revisit.db')] }
}

describe('a prior by the command line', () => {
  it('of two pseudo-gaps gives the irregular MLE its closed forms, and no edge case', async () => {
    const { periods, log } = await logs()
    const found = await periods(log('few.csv'), '--prior', 'pseudo:69h/13h')
    // One changed gap c, exposure x: c / (e^(rc) - 1) = x, so the period is c / ln(1 + c / x).
    const closed = (exposure: number, changes = 1) => c / Math.log1p((changes * c) / exposure)
    expect(found.seen).toMatchObject({ verdict: 'prior-only', method: 'irregular-mle-with-prior' })
    expect(found.unchanged!.changePeriod! / closed(u + 50 * HOUR)).toBeCloseTo(1, 9)
    expect(found.unchanged!.verdict).toBe('ok')
    expect(found.changed!.changePeriod! / closed(u, 2)).toBeCloseTo(1, 9)
    const all = [c, -u, ...few.mixed].map((gap) => ({ gap: Math.abs(gap), changed: gap > 0 }))
    expect(found.mixed!.changePeriod! / byEquation2(all)).toBeCloseTo(1, 9)
  })

  it('of two pseudo-gaps gives the posterior the median of its own law', async () => {
    const { periods, log } = await logs()
    const args = [log('few.csv'), '--prior', 'pseudo:69h/13h', '--method', 'posterior']
    const found = await periods(...args)
    for (const [path, gaps] of Object.entries(few)) {
      // A page seen once has no period of its own, and one that always changed is shown by its bounds alone.
      if (path === 'seen' || path === 'changed') continue
      const all = [c, -u, ...gaps].map((gap) => ({ gap: Math.abs(gap), changed: gap > 0 }))
      // The command's grid has steps of 6%.
      expect(Math.abs(found[path]!.changePeriod! / medianByGrid(all) - 1), path).toBeLessThan(0.01)
    }
  })

  it('of the log itself is empirical: a page never compared is like the others', async () => {
    const { periods, log, revisit } = await logs()
    const asked = ['--prior', 'empirical']
    const text = await revisit(['estimate', log('many.csv'), ...asked, '--top', '1'])
    // All of the pages but the one seen once reach 25 changes.
    expect(text.err).toContain(
      'the law of 200 pages of this log with 25 changes or more (1 had fewer)',
    )
    const found = await periods(log('many.csv'), ...asked, '--method', 'posterior')
    // The law of the truth has its median at two days; 200 pages know it to some percent.
    expect(found.new).toMatchObject({ verdict: 'prior-only', method: 'posterior-with-prior' })
    expect(Math.abs(Math.log(found.new!.group!.changePeriod! / (2 * DAY)))).toBeLessThan(0.25)
    const gaps = await periods(log('many.csv'), ...asked)
    expect(Math.abs(Math.log(gaps.new!.group!.changePeriod! / (2 * DAY)))).toBeLessThan(0.6)
  })

  it('is refused where it does not fit', async () => {
    const { log, revisit } = await logs()
    const refused = async (...args: string[]) => {
      const { code, err } = await revisit(['estimate', log('few.csv'), ...args])
      expect(code).toBe(2)
      return err
    }
    expect(await refused('--prior', 'lots')).toContain('"lots" is no prior')
    expect(await refused('--prior', 'none')).toContain('leave --prior out')
    expect(await refused('--prior', 'fitted', '--compare')).toContain('not with --compare')
    expect(await refused('--prior', 'fitted', '--method', 'intuitive')).toContain(
      'not with intuitive',
    )
    expect(await refused('--prior', 'empirical', '--sorted')).toContain('leave --sorted out')
    expect(await refused('--prior', 'fitted', '--changes', '3')).toContain('--prior empirical')
    const none = await revisit(['estimate', log('few.csv'), '--prior', 'empirical'])
    expect(none.err).toContain('none of 4 pages was seen to change 25 times')
  })

  it('that is fitted is that of the store, and the shipped one before', async () => {
    const { periods, log, revisit, json, database } = await logs()
    const before = await revisit(['estimate', log('few.csv'), '--prior', 'fitted', ...database])
    expect(before.err).toContain('(nothing was fitted here yet: revisit prior fit)')
    const fit = await json<{ fits: { reading: string; changed: number; unchanged: number }[] }>(
      ...['prior', 'fit', log('many.csv'), '--method', 'pseudo-gaps', '--reading', 'rate'],
    )
    const pair = fit.fits.find(({ reading }) => reading === 'rate')!
    const found = await periods(log('few.csv'), '--prior', 'fitted', ...database)
    const closed = pair.changed / Math.log1p(pair.changed / (pair.unchanged + 50 * HOUR))
    expect(found.unchanged!.changePeriod! / closed).toBeCloseTo(1, 6)
  })
})

/**
 * 200 pages with lognormal periods, median two days, sigma 0.8, each visited at
 * about half its period until 26 changes were seen; and one seen once.
 */
function many(): Record<string, number[]> {
  const random = new Random(9)
  const pages: Record<string, number[]> = { new: [] }
  for (let page = 0; page < 200; page++) {
    const period = 2 * DAY * Math.exp(0.8 * random.normal())
    const gaps: number[] = []
    for (let changes = 0; changes < 26; ) {
      const gap = Math.max(60, Math.round(period * (0.3 + 0.4 * random.uniform())))
      const changed = random.uniform() < -Math.expm1(-gap / period)
      gaps.push(changed ? gap : -gap)
      if (changed) changes++
    }
    pages[`p${page}`] = gaps
  }
  return pages
}
