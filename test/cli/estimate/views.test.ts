import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Outcome, outcomes } from '../../../src/model/history.js'
import { fourPages, logOfPages } from '../../fixtures/four-pages.js'
import { runHere } from '../../fixtures/small-environment.js'

const log = logOfPages(fourPages())
const now = ['--now', '2026-06-01T00:00:00Z']
const run = (args: readonly string[], columns?: number) =>
  runHere(['estimate', ...args, ...now], {
    files: { log },
    ...(columns === undefined ? {} : { columns }),
  })
const json = async (...args: string[]) => JSON.parse((await run(['log', '--json', ...args])).out)

describe('--distribution', () => {
  it('prints the laws of each page as a chart, a table and sentences', async () => {
    const { code, out } = await run(['log', '--distribution'])
    expect(code).toBe(0)
    const [, steady, bursty, daily] = out.split('\nhttps://example.org/')
    expect(steady).toMatch(
      /^steady\nChanges about every 2\.6 days \(2 to 3\.3 days\); last change seen/,
    )
    expect(steady).toMatch(/\n100%┼.*\n/)
    expect(steady).toMatch(/\n2 days +5\d% +\d+% to \d+% +\d+% +\d+% to \d+% +54%\n/)
    expect(steady).toContain('Changes come at random')
    expect(bursty).toContain('Changes come in bursts')
    expect(daily).toContain('Changes come at regular times')
    // Only a terminal can tell two curves apart.
    expect(out).not.toContain('\u001b')
    expect((await run(['log', '--distribution'], 80)).out).toContain('(blue; grey: a Poisson page)')
  })

  it('prints no value outside its own bounds, before the shortest gap either', async () => {
    // Every six hours, unchanged at the 1st, 5th and 9th visit: nothing is known below six hours.
    const visits = Array.from({ length: 24 }, (_, i) => {
      const changed = i === 0 ? 'first' : i === 1 || i === 5 || i === 9 ? 'false' : 'true'
      return `https://a.example/,${1_767_592_800 + i * 21_600},${changed}`
    })
    const { out } = await runHere(['estimate', 'log', '--distribution', ...now], {
      files: { log: ['url,at,changed', ...visits, ''].join('\n') },
    })
    const rows = [...out.matchAll(/ (\d+)% +(\d+)% to (\d+)%/g)].map((row) => row.map(Number))
    expect(rows.length).toBeGreaterThan(1)
    for (const [, value, low, high] of rows) {
      expect(value).toBeGreaterThanOrEqual(low!)
      expect(value).toBeLessThanOrEqual(high!)
    }
    // Known at multiples of six hours only: no line for less, and no law of update gaps.
    expect(out).toMatch(/\n6 hours +8\d% +\d+% to \d+% +- +at least 0% /)
    expect(out).not.toContain('60 minutes')
    expect(out).toContain('not identifiable at equal gaps of 6 hours: vary the gaps')
  })

  it('gives points and bounds as JSON', async () => {
    const found = await json('--distribution', '--top', '1')
    expect(found).toHaveLength(1)
    const { method, contentAges, updateGaps, ageing, phaseLock } = found[0].distribution
    expect(method).toBe('m2')
    expect(contentAges.x.length).toBe(contentAges.cdf.length)
    expect(contentAges.x.length).toBeLessThanOrEqual(202)
    expect(contentAges.bounds.low.length).toBe(contentAges.bounds.x.length)
    expect(updateGaps.changePeriod).toBeGreaterThan(86_400)
    expect(ageing).toMatchObject({ kind: 'test', ageing: 'memoryless' })
    expect(phaseLock.kind).toBe('free')
    // The bootstrap is seeded: the same words every time.
    expect(await json('--distribution', '--top', '1')).toEqual(found)
  })
})

describe('--trend', () => {
  it('prints windows, the trend and the next update', async () => {
    const { out } = await run(['log', '--trend'])
    const [, steady, , , trending] = out.split('\nhttps://example.org/')
    expect(steady).toContain('No trend over the whole time is shown')
    expect(trending).toContain('It changes faster than it did (p = under 0.001 if it were steady).')
    expect(trending).toMatch(/\n1 +2025-01-07 +2026-05-20 +130 +changing faster +every \d+ hours\n/)
    expect(trending).toMatch(/The next update is due about 2026-05-2\d \d\d:\d\d UTC \(between/)
  })

  it('gives them as JSON', async () => {
    const found = await json('--trend')
    const { trend } = found[3]
    expect(trend.test).toMatchObject({ test: 'mil-hdbk-189', direction: 'rising', verdict: 'ok' })
    expect(trend.windows[0]).toMatchObject({ method: 'weibull', updates: 130, verdict: 'ok' })
    // The page was made with an exponent of 3.
    expect(trend.windows[0].law.exponent).toBeGreaterThan(2.3)
    expect(trend.windows[0].law.exponent).toBeLessThan(3.7)
    expect(trend.updates).toHaveLength(130)
  })
})

/** Visits of one page, gap by gap in hours. */
function logOfGaps(gaps: readonly (readonly [hours: number, changed: boolean])[]): string {
  let at = 1_767_592_800
  const lines = gaps.map(([hours, changed]) => {
    at += hours * 3600
    return `https://a.example/,${at},${changed}`
  })
  return ['url,at,changed', 'https://a.example/,1767592800,first', ...lines, ''].join('\n')
}

describe('what cannot be known', () => {
  // Three changes in three days, then none for 17: the fit of the three alone ran away, and predicted
  // the next update within half an hour.
  const quiet = logOfGaps([
    [81, false],
    [83, true],
    [30, true],
    [10, true],
    ...Array.from({ length: 9 }, () => [45, false] as const),
  ])
  // Twenty of 23 six-hourly visits found a change.
  const fast = logOfGaps(Array.from({ length: 23 }, (_, i) => [6, i !== 0 && i !== 4 && i !== 8]))
  const of = (log: string, ...args: string[]) =>
    runHere(['estimate', 'log', ...args, ...now], { files: { log } })

  it('is not predicted from fewer than four updates', async () => {
    const { out } = await of(quiet, '--trend')
    expect(out).toMatch(/\n1 .* 3 +too little to tell +-\n/)
    expect(out).toContain('Too few updates to predict the next one: it takes four.')
    expect(out).not.toContain('is due about')
    const [{ trend }] = JSON.parse((await of(quiet, '--trend', '--json')).out)
    expect(trend.next).toMatchObject({ at: null, bounds: null, verdict: 'under-four-points' })
    expect(trend.windows[0].mtbu).toBeNull()
  })

  it('is not predicted from visits that missed updates', async () => {
    const { out } = await of(fast, '--trend')
    expect(out).toContain('Visits are too far apart to predict the next update')
    expect(out).not.toContain('is due about')
    const [{ trend }] = JSON.parse((await of(fast, '--trend', '--json')).out)
    expect(trend).toMatchObject({ counted: false, next: { at: null, verdict: 'visits-too-rare' } })
  })

  it('does not keep the views from agreeing with the plain estimate', async () => {
    for (const log of [quiet, fast]) {
      const [plain] = JSON.parse((await of(log, '--json')).out)
      const [{ months }] = JSON.parse((await of(log, '--months', '--json')).out)
      expect(months).toHaveLength(1)
      expect(months[0].changeRate).toBeCloseTo(plain.changeRate, 15)
      expect(months[0].bounds.low).toBeCloseTo(plain.bounds.low, 15)
      expect(months[0].bounds.high).toBeCloseTo(plain.bounds.high, 15)
    }
  })
})

describe('--between', () => {
  it('takes two dates, the log before or after them', async () => {
    const { code, out } = await run(['log', '--between', '2025-03-01', '2025-04-01'])
    expect(code).toBe(0)
    // The page was made with a period of two days; a visit sees at most one change.
    expect(out).toMatch(/steady +11 +31 days +every 2\.6 days +36 hours to 4\.9 days +ok\n/)
    expect(out).toMatch(/trending +0 +31 days +- +at least 8\.4 days +no update seen\n/)
    const after = await run(['--between', '2025-03', '2025-04', 'log'])
    expect(after.out).toBe(out)
    const exact = await run(['log', '--between', '2025-03-01T00:00:00Z', '1743465600'])
    expect(exact.out).toBe(out)
  })

  it('gives JSON in seconds', async () => {
    const found = await json('--between', '2025-03-01', '2025-04-01')
    expect(found[0].between).toMatchObject({ updates: 11, watched: 31 * 86_400, verdict: 'ok' })
    // Six-hourly visits hide few changes: a little more than were seen.
    expect(found[0].between.changeRate * 31 * 86_400).toBeGreaterThan(11)
    expect(found[0].between.changeRate * 31 * 86_400).toBeLessThan(13)
  })

  it.each([
    [['--between', '2025-03-01'], /takes two dates/],
    [['--between', '2025-03-01', 'soon'], /got "soon"/],
    [['--between', '2025-03-01', '2025-02-01'], /must lie before/],
    [['--between', '2025-03-01', '2025-04-01', '2025-05-01'], /takes two dates; got/],
    [['--months', '--trend'], /--trend and --months do not go together/],
    [['--compare', '--distribution'], /--compare and --distribution do not go together/],
    [['--html', 'x', '--figures', 'all'], /--figures takes a whole number/],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await run(['log', ...args])
    expect(code).toBe(2)
    expect(err).toMatch(message)
    expect(err).toMatch(/^revisit: .*\n$/)
  })
})

describe('--months', () => {
  it('prints each month, and the same month over the years', async () => {
    const { out } = await run(['log', '--months'])
    expect(out).toMatch(/\n2025-03 +11 +31 days +every 2\.6 days +36 hours to 4\.9 days +ok\n/)
    expect(out).toMatch(/\nover the years +2025 +2026 +it is\nJan +- +every 36 hours +rising\n/)
  })

  it('gives them as JSON', async () => {
    const found = await json('--months')
    expect(found[0].months).toHaveLength(7)
    expect(found[0].overYears).toEqual([])
    expect(found[3].overYears.map(({ month }: { month: number }) => month)).toEqual([1, 2, 3, 4, 5])
  })
})

describe('--html', () => {
  it('writes a report beside what is printed, with every figure', async () => {
    const files: Record<string, string> = { log }
    const { out, err } = await runHere(['estimate', 'log', '--html', 'r.html', ...now], { files })
    expect(out).toBe((await run(['log'])).out)
    expect(err).toBe('report written to r.html\n')
    const html = files['r.html']!
    expect(html).toContain('4 pages, 2006 visits, 312 changes; times read as Unix seconds')
    expect(html).toMatch(/Made by revisit 1\.2\.3 from log, /)
    // Eight figures a page, each at two widths; the dated changes of two pages tell the hour. Visits
    // of the other two come at equal gaps, or at no short ones, so how long they stay unchanged is unknown.
    expect(html.match(/<svg /g)).toHaveLength((4 * 8 - 2) * 2)
    expect(html.match(/is not identifiable (at equal gaps|where hardly a gap)/g)).toHaveLength(2)
    expect(
      html.match(/14 did not see the page, the server dated 50 changes\.<\/desc>/g),
    ).toHaveLength(2)
    expect(html.match(/The server dated every change\./g)!.length).toBeGreaterThanOrEqual(2)
  })

  it('draws the first pages only, if asked', async () => {
    const files: Record<string, string> = { log }
    const args = ['estimate', 'log', '--html', 'r.html', '--figures', '1', '--top', '3', ...now]
    await runHere(args, { files })
    expect(files['r.html']!.match(/<section/g)).toHaveLength(1)
    expect(files['r.html']).toContain('Figures are plotted for the first 1 of 3 pages.')
  })
})

const anyTime = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: 0, max: 1_700_000_000 }),
  fc.integer({ min: 0, max: 20 }),
)
interface Row {
  readonly url: string
  readonly at: number
  readonly changed: Outcome
  readonly lastModified: number | string
}
const rows = fc.array(
  fc.record<Row>({
    url: fc.constantFrom('a', 'b'),
    at: anyTime,
    changed: fc.constantFrom(...outcomes),
    lastModified: fc.oneof(fc.constant(''), anyTime),
  }),
  { maxLength: 30 },
)

/** Gaps that overflow when they are doubled, and times that no calendar has. */
const absurd = [-8.9e307, -1.79e308, -8_640_000_000_000.001, -62_135_596_801].map((at): [Row[]] => [
  [
    { url: 'b', at: 0, changed: 'changed', lastModified: '' },
    { url: 'b', at, changed: 'changed', lastModified: '' },
  ],
])

describe('any finite numbers', () => {
  it.each([
    ['--distribution'],
    ['--trend'],
    ['--months'],
    ['--between', '10000', '1700000000'],
    ['--html', 'r'],
  ])('end in words and in JSON: %s', async (...view) => {
    await fc.assert(
      fc.asyncProperty(rows, async (list) => {
        const lines = list.map((row) => Object.values(row).join(','))
        const text = ['url,at,changed,last_modified', ...lines].join('\n')
        const args = ['estimate', 'x', '--time', 'seconds', '--sort', ...view]
        const words = await runHere(args, { files: { x: text } })
        expect([0, 1], words.err).toContain(words.code)
        expect(words.out).not.toMatch(/NaN|undefined|Infinity/)
        const { code, out, err } = await runHere([...args, '--json'], { files: { x: text } })
        expect([0, 1], err).toContain(code)
        JSON.parse(out)
      }),
      { seed: 42, numRuns: 20, examples: absurd },
    )
  })
})
