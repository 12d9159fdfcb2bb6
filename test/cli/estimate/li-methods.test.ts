import { beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/numeric/random.js'
import {
  constant,
  type Draw,
  exponential,
  pareto,
  paretoF,
  paretoG,
  renewalHistory,
} from '../../estimators/law/renewal.js'
import { runHere } from '../../fixtures/small-environment.js'

const day = 86_400
const origin = 1_600_000_000
const now = ['--now', '2026-06-01T00:00:00Z']

/** A log of the paper's page (Pareto updates, E[U] = half a day) at gaps of a day on average. */
function logOf(about: { gap: Draw; visits: number; dated: boolean; seed: number }): string {
  const { start, observations } = renewalHistory({
    random: new Random(about.seed),
    update: pareto,
    gap: about.gap,
    visits: about.visits,
  })
  const line = (at: number, changed: string, contentAge: number) => {
    const seen = Math.round(origin + day * at)
    const modified = about.dated ? Math.round(origin + day * (at - contentAge)) : ''
    return `https://a.example/,${seen},${changed},${modified}`
  }
  return [
    'url,at,changed,last_modified',
    line(0, 'first', start.contentAge!),
    ...observations.map(({ at, changed, contentAge }) => line(at, String(changed), contentAge!)),
    '',
  ].join('\n')
}

interface Curve {
  readonly x: readonly number[]
  readonly cdf: readonly number[]
  readonly shape?: string
}

/** A curve of the JSON at so many days: held where it has steps, joined where it is a line. */
function at({ x, cdf, shape = 'line' }: Curve, days: number): number {
  const time = days * day
  const after = x.findIndex((each) => each > time + 1)
  if (after === 0) return shape === 'steps' ? 0 : (cdf[0]! * time) / x[0]!
  if (after < 0) return cdf.at(-1)!
  if (shape === 'steps') return cdf[after - 1]!
  const [x0, y0] = [x[after - 1]!, cdf[after - 1]!]
  return y0 + ((cdf[after]! - y0) * (time - x0)) / (x[after]! - x0)
}

const spread = (random: Random) => Math.max(1e-3, exponential(random))
const visits = 5000

/** What is read of the JSON; a law that is not identifiable has no curve. */
interface Distribution {
  readonly law?: string
  readonly target: { readonly law: string }
  readonly contentAges: Curve & { readonly bounds: object | null }
  readonly updateGaps: Curve & {
    readonly changePeriod: number
    readonly changePeriodAtMost: number
  }
  readonly flatRegion: { readonly trail: readonly object[] }
}
let found: Record<
  'm1' | 'm2' | 'm3' | 'm4' | 'm5' | 'gM4' | 'm6' | 'fivePoint' | 'oneBin' | 'wideBins',
  Distribution
>

async function distributions(log: string, methods: string, ...args: string[]) {
  const { code, out } = await runHere(
    ['estimate', 'log', '--distribution', '--method', methods, '--json', ...args, ...now],
    { files: { log } },
  )
  expect(code).toBe(0)
  return (JSON.parse(out) as { distribution: Distribution }[]).map((each) => each.distribution)
}

beforeAll(async () => {
  const equal = logOf({ gap: constant, visits, dated: false, seed: 41 })
  const random = logOf({ gap: spread, visits, dated: true, seed: 42 })
  const bare = logOf({ gap: spread, visits, dated: false, seed: 42 })
  const dense = logOf({ gap: (r) => spread(r) / 20, visits: 8000, dated: true, seed: 43 })
  const [m3, m4, m5] = await distributions(equal, 'm3,m4,m5')
  const [m1, m2] = await distributions(random, 'm1,m2')
  const [gM4, m6] = await distributions(bare, 'g-m4,m6')
  const [fivePoint] = await distributions(dense, 'five-point')
  const [oneBin] = await distributions(dense, 'five-point', '--bin-width', '12h')
  const [wideBins] = await distributions(bare, 'm6', '--bin-width', '6h')
  const all = { m1, m2, m3, m4, m5, gM4, m6, fivePoint, oneBin, wideBins }
  found = all as Required<typeof all> as typeof found
}, 120_000)

/**
 * Values of ../shared/oracles for Pareto, alpha 3, beta 1 (SciPy and closed forms), in days. 5,000
 * visits leave a standard error of about .01.
 */
describe('estimate --distribution --method', () => {
  it('m1: tails .379032, .186684 and .066843 at a half, one and two days', () => {
    const tails = [0.5, 1, 2].map((x) => 1 - at(found.m1.contentAges, x))
    ;[0.379032, 0.186684, 0.066843].forEach((tail, i) => {
      expect(Math.abs(tails[i]! - tail)).toBeLessThan(0.035)
    })
    expect(found.m1.target.law).toBe('neither')
    // It is not the age distribution: bounds of chance alone would be false.
    expect(found.m1.contentAges.bounds).toBeNull()
    expect(found.m1.updateGaps).toEqual({ why: 'not-an-age-distribution' })
  })

  // A bin of M6 has 250 pairs of visits, and so an error of .03 of its own.
  it.each([
    ['m2', 0.04],
    ['m6', 0.12],
  ] as const)('%s: the age distribution 1 - (1+x)^-2 at any age', (method, within) => {
    for (const x of [0.25, 0.5, 1, 2, 4])
      expect(Math.abs(at(found[method].contentAges, x) - paretoG(x)), String(x)).toBeLessThan(
        within,
      )
    const { updateGaps } = found[method]
    for (const x of [0.5, 1, 2])
      expect(Math.abs(at(updateGaps, x) - paretoF(x)), String(x)).toBeLessThan(0.12)
    expect(Math.abs(updateGaps.changePeriod / day - 0.5)).toBeLessThan(0.15)
  })

  it('m3: the tail .185185, .064815, .03 at one, two and three gaps, which is no law', () => {
    ;[0.185185, 0.064815, 0.03].forEach((tail, i) => {
      expect(Math.abs(1 - at(found.m3.contentAges, i + 1) - tail)).toBeLessThan(0.02)
    })
    expect(found.m3.updateGaps).toEqual({ why: 'not-an-age-distribution' })
  })

  it.each(['m4', 'm5'] as const)(
    '%s: .75, .8889 and .9375 at one, two and three gaps',
    (method) => {
      for (const n of [1, 2, 3])
        expect(Math.abs(at(found[method].contentAges, n) - paretoG(n))).toBeLessThan(0.02)
      expect(found[method].updateGaps).toMatchObject({
        why: 'not-identifiable',
        because: 'equal-gaps',
        gap: day,
        words: 'not identifiable at equal gaps of 1 day: vary the gaps',
      })
      expect(found[method].updateGaps.changePeriod).toBeUndefined()
      // E[U] is a half; 1 / .75 is the most that the visits allow.
      expect(found[method].updateGaps.changePeriodAtMost / day).toBeGreaterThan(1 / 0.75)
    },
  )

  it('g-m4: tails .8602, .6498 and .3376, far from .444, .25 and .111', () => {
    ;[0.8602, 0.6498, 0.3376].forEach((tail, i) => {
      expect(Math.abs(1 - at(found.gM4.contentAges, [0.5, 1, 2][i]!) - tail)).toBeLessThan(0.03)
    })
  })

  it('five-point: E[U] of half a day at the flat region, and what a bin of 12 hours makes of it', () => {
    const { updateGaps, flatRegion, law } = found.fivePoint
    expect(law).toBe('five-point')
    expect(Math.abs(updateGaps.changePeriod / day - 0.5)).toBeLessThan(0.12)
    expect(flatRegion.trail.length).toBeGreaterThan(4)
    // Shared oracles: at h = .5 the five-point derivative gives .574713.
    expect(Math.abs(found.oneBin.updateGaps.changePeriod / day - 0.574713)).toBeLessThan(0.06)
  })

  it('m6 takes the width of its bins', () => {
    const { x } = found.wideBins.contentAges
    expect(x[1]! - x[0]!).toBeGreaterThan(5.5 * 3600)
    expect(x[1]! - x[0]!).toBeLessThan(6.5 * 3600)
  })
})

describe('estimate --distribution, several methods', () => {
  const log = logOf({ gap: spread, visits: 300, dated: true, seed: 44 })
  const run = (files: Record<string, string>, ...args: string[]) =>
    runHere(['estimate', 'log', ...args, ...now], { files })

  it('stand side by side in text, CSV and one figure of the report', async () => {
    const files: Record<string, string> = { log }
    const { code, out } = await run(
      files,
      ...['--distribution', '--method', 'm2,m6,five-point', '--csv', 'd.csv', '--html', 'd.html'],
    )
    expect(code).toBe(0)
    expect(out).toMatch(/\n +m2 +update +m6 +update +five-point +update\n/)
    const rows = files['d.csv']!.trim().split('\n')
    expect(rows[0]).toBe('url,method,law,x,cdf,low,high,level')
    for (const method of ['m2', 'm6', 'five-point'])
      for (const law of ['content-ages', 'update-gaps'])
        expect(rows.some((row) => row.startsWith(`https://a.example/,${method},${law},`))).toBe(
          true,
        )
    for (const row of rows.slice(1)) {
      const [, , , , cdf, low, high] = row.split(',').map(Number)
      expect(cdf).toBeGreaterThanOrEqual(low! - 1e-9)
      expect(cdf).toBeLessThanOrEqual(high! + 1e-9)
    }
    const figure = /How old the content is[\s\S]*?<\/svg>/.exec(files['d.html']!)![0]
    for (const method of ['m2', 'm6', 'five-point']) expect(figure).toContain(method)
  })

  it.each([
    [['--distribution', '--method', 'm7'], /no method "m7"; there are: m1, m2/],
    [['--distribution', '--bin-width', '1h'], /--bin-width needs --method m6 or five-point/],
    [['--distribution', '--method', 'm6', '--bin-width', '0s'], /durations above 0/],
    [['--distribution', '--method', 'm6', '--flat-region', '1d/1h'], /needs --method five-point/],
    [['--distribution', '--method', 'five-point', '--flat-region', '1d'], /two bin widths/],
    [['--staleness', '0s'], /gaps above 0/],
    [['--months', '--csv', 'm.csv'], /--csv and --months do not go together/],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await run({ log }, ...args)
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })
})

describe('estimate --staleness', () => {
  it('of the page of the paper, refreshed daily: stale half the time, one update behind', async () => {
    const log = logOf({ gap: spread, visits, dated: true, seed: 45 })
    const files = { log }
    const { out } = await runHere(['estimate', 'log', '--staleness', '1d', '--json', ...now], {
      files,
    })
    const [{ staleness }] = JSON.parse(out)
    expect(staleness.method).toBe('m2')
    const [{ stale, changedByVisit, updatesBehind }] = staleness.gaps
    // The mean of 1 - (1+t)^-2 up to 1 is 1/2, its end 3/4; E[U] = 1/2, so 1 / (2 * 1/2) = 1.
    expect(Math.abs(stale.value - 0.5)).toBeLessThan(0.03)
    expect(Math.abs(changedByVisit.value - 0.75)).toBeLessThan(0.03)
    expect(Math.abs(updatesBehind.value - 1)).toBeLessThan(0.3)
    for (const { value, low } of [stale, changedByVisit, updatesBehind])
      expect(value).toBeGreaterThanOrEqual(low)
  })

  it('at equal gaps says what is not identifiable, in text and CSV', async () => {
    const files: Record<string, string> = {
      log: logOf({ gap: constant, visits: 500, dated: false, seed: 46 }),
    }
    const args = ['estimate', 'log', '--staleness', '12h,1d', '--csv', 's.csv', ...now]
    const { out } = await runHere(args, { files })
    expect(out).toContain('updates behind: not identifiable at equal gaps of 1 day: vary the gaps')
    expect(out).toMatch(/\n +24 hours +5\d% +\d+% to \d+% +7\d% +\d+% to \d+% +- +at least 0\.3/)
    const [head, ...lines] = files['s.csv']!.trim().split('\n')
    expect(head).toContain('url,gap,stale,stale_low')
    expect(lines).toHaveLength(2)
  })
})
