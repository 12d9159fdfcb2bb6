import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../../src/model/units.js'
import { Random } from '../../../src/numeric/random.js'
import { median } from '../../../src/numeric/summary.js'
import type { AutoPrior } from '../../../src/planner/prior/prior.js'
import type { StoredRates } from '../../../src/planner/prior/stored-rates.js'
import { crawledSite } from '../../fixtures/crawled-site.js'
import { byEquation2, type SeenGap } from '../../fixtures/grimes-ford-rule.js'
import { memorylessPages } from '../../fixtures/memoryless-pages.js'

/** A log of pages with these periods, each visited at about half its period until so many changes. */
function logOf(periods: readonly number[], { changes, seed }: { changes: number; seed: number }) {
  const random = new Random(seed)
  const lines = ['url,at,changed']
  for (const [page, period] of periods.entries()) {
    const url = `https://h${page % 5}.example/${page}`
    let at = 1_700_000_000
    lines.push(`${url},${at},first`)
    for (let seen = 0; seen < changes; ) {
      const gap = Math.max(1, Math.round(period * (0.3 + 0.4 * random.uniform())))
      const changed = random.uniform() < -Math.expm1(-gap / period)
      at += gap
      lines.push(`${url},${at},${changed}`)
      if (changed) seen++
    }
  }
  return lines.join('\n')
}

async function withLog(text: string) {
  const site = await crawledSite()
  const log = join(site.folder, 'log.csv')
  writeFileSync(log, text)
  const json = async <T>(...args: string[]): Promise<T> => {
    const { code, out, err } = await site.revisit([...args, '--json'])
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' })
    return JSON.parse(out) as T
  }
  return { ...site, log, json }
}

const start = ({ changed, unchanged }: { changed: number; unchanged: number }) =>
  changed / Math.log1p(changed / unchanged)

describe('revisit prior fit', () => {
  // A changed gap c and an unchanged u, read over rates, make the law of the sum of two
  // exponentials with means 1 / u and 1 / (u + c): a closed form that pages can be sampled from.
  it('finds the pseudo-gaps that pages were sampled from, by the reading of rates', async () => {
    const [c, u] = [4 * HOUR, 2 * HOUR]
    const random = new Random(21)
    const periods = Array.from(
      { length: 500 },
      () => 1 / (random.exponential() / u + random.exponential() / (u + c)),
    )
    const { log, json } = await withLog(logOf(periods, { changes: 60, seed: 4 }))
    const args = ['--method', 'pseudo-gaps', '--reading', 'rate', '--changes', '60']
    const fit = await json<StoredRates>('prior', 'fit', log, ...args)
    expect(fit).toMatchObject({ method: 'pseudo-gaps', use: 'rate', pages: 500, unfinished: 0 })
    expect(fit.fits.map(({ reading }) => reading)).toEqual(['log-period', 'rate'])
    const pair = fit.fits[1]!
    expect(pair.agreeing).toBe(pair.restarts)
    // 500 pages, each known to an eighth: the law's middle is known to some percent, its shape less.
    expect(Math.abs(start(pair) / start({ changed: c, unchanged: u }) - 1)).toBeLessThan(0.15)
    // Mean rate of the pair's law: 1 / u + 1 / (u + c).
    const meanRate = (pair: { changed: number; unchanged: number }) =>
      1 / pair.unchanged + 1 / (pair.unchanged + pair.changed)
    expect(Math.abs(meanRate(pair) / meanRate({ changed: c, unchanged: u }) - 1)).toBeLessThan(0.15)
  })

  it('keeps the law of change periods with the first gap that is best for it', async () => {
    const period = 3 * DAY
    const { log, json, revisit, folder } = await withLog(
      logOf(Array(80).fill(period), { changes: 25, seed: 5 }),
    )
    const fit = await json<StoredRates>('prior', 'fit', log, '--method', 'empirical')
    expect(fit).toMatchObject({ method: 'empirical', use: 'law', pages: 80 })
    const { periods, masses } = fit.law
    const mean = periods.reduce((sum, each, i) => sum + masses[i]! * Math.log(each), 0)
    expect(Math.abs(Math.exp(mean) / period - 1)).toBeLessThan(0.15)
    // Section 4.2 once more, by itself: five visits, next gaps 0.8 of the estimate, edge cases and all.
    const own = [0.25, 0.5, 1, 2, 4].map((share) => ({ share, off: offBy(share * period, period) }))
    const best = offBy(fit.firstGap.gap, period)
    expect(best).toBeLessThan(1.15 * Math.min(...own.map(({ off }) => off)))
    expect(Math.abs(fit.firstGap.deviation / best - 1)).toBeLessThan(0.3)
    const database = ['--database', join(folder, 'revisit.db')]
    const sampled = await json<{ best: { firstGap: number } }>(
      ...['sampling', '--prior', 'fitted', ...database],
    )
    expect(sampled.best.firstGap / fit.firstGap.gap).toBeCloseTo(1, 3)
    const text = (await revisit(['sampling', '--prior', 'empirical', log])).out
    expect(text).toContain('from the law of 80 pages of this log with 25 changes or more')
    expect(text).toMatch(/Best first gap: .* \(Grimes & Ford, section 4\.2\)/)
  })

  it('reports no rhythm where there is none, and what of it is shipped', async () => {
    const pages = memorylessPages({ period: 2 * DAY, gap: DAY, pages: 60, visits: 60, seed: 5 })
    const lines = pages.flatMap(({ group, history: { start, observations } }, page) => [
      `https://${group}/${page},${start.at},first`,
      ...observations.map(
        ({ at, changed }) => `https://${group}/${page},${at.toFixed(3)},${changed}`,
      ),
    ])
    const { log, revisit, json } = await withLog(['url,at,changed', ...lines].join('\n'))
    const { whole } = await json<AutoPrior>('prior', 'fit', log)
    expect(Math.abs(whole.medianPeriod! / (2 * DAY) - 1)).toBeLessThan(0.15)
    expect(whole.weekdays.every((speed) => speed === 1)).toBe(true)
    const { out } = await revisit(['prior', 'show'])
    expect(out).toMatch(/At any hour of the week alike, as far as [\d,]+ gaps tell: no weekday/)
    expect(out).toMatch(
      /2% of these shares are the prior that ships with Revisit: it counts as 1 pages? beside the 60 here/,
    )
    expect(out).toMatch(
      /Half of all pages change more often than every (4\d|5\d) hours|every 2(\.\d)? days/,
    )
    // The policy grimes-ford begins from it too.
    expect(out).toContain('Grimes & Ford, learned by EM from 60 pages')
  })

  it('says which options go together', async () => {
    const { log, revisit } = await withLog(logOf([DAY], { changes: 3, seed: 1 }))
    const refused = async (...args: string[]) => (await revisit(['prior', 'fit', log, ...args])).err
    expect(await refused('--method', 'guess')).toContain(
      '--method takes em, pseudo-gaps, empirical',
    )
    expect(await refused('--reading', 'rate')).toContain('--reading goes with --method pseudo-gaps')
    expect(await refused('--changes', '3')).toContain('em uses every page')
    expect(await refused('--method', 'empirical')).toContain(
      'none of 1 pages was seen to change 25',
    )
  })
})

/** Median error of estimates over the first five visits of 2,000 pages from this first gap: Grimes & Ford 4.2. */
function offBy(firstGap: number, period: number): number {
  const random = new Random(33)
  const errors: number[] = []
  for (let page = 0; page < 2000; page++) {
    const seen: SeenGap[] = []
    let gap = firstGap
    for (let visit = 0; visit < 5; visit++) {
      seen.push({ gap, changed: random.uniform() < -Math.expm1(-gap / period) })
      const changes = seen.filter(({ changed }) => changed).length
      const sampled = seen.reduce((sum, each) => sum + each.gap, 0)
      const estimate =
        changes === 0
          ? sampled
          : changes === seen.length
            ? Math.min(...seen.map((each) => each.gap))
            : byEquation2(seen)
      errors.push(Math.abs(estimate - period))
      gap = 0.8 * estimate
    }
  }
  return median(errors)
}
