import { describe, expect, it } from 'vitest'
import { runHere } from '../../fixtures/small-environment.js'

const day = 86_400
const origin = 1_767_225_600

/** A page visited every six hours whose server dates its updates, at the given days. */
function logOfUpdates(updates: readonly number[], until: number): string {
  const lines = [`https://a.example/,${origin},first,`]
  let last = -1
  for (let at = 0.25; at <= until + 1e-9; at += 0.25) {
    const found = updates.filter((each) => each <= at).length - 1
    const modified = found > last ? String(origin + updates[found]! * day) : ''
    lines.push(`https://a.example/,${origin + at * day},${found > last},${modified}`)
    last = found
  }
  return ['url,at,changed,last_modified', ...lines, ''].join('\n')
}

/** Whose numbers are in ../shared/oracles (SciPy): t = 1, 3, 4, 8, 9. */
const five = logOfUpdates([1, 3, 4, 8, 9], 9)
const wide = ['--threshold', '1000', '--alpha', '1']

const run = (log: string, ...args: string[]) =>
  runHere(['estimate', 'log', '--trend', ...args, '--now', '2026-12-01T00:00:00Z'], {
    files: { log },
  })
const json = async (log: string, ...args: string[]) =>
  JSON.parse((await run(log, '--json', ...args)).out)[0].trend

/** Duane's line by hand: y = ln(t / i) over x = ln t. */
const slope = 0.289315
const alpha = 1.003578

describe('estimate --trend --estimator', () => {
  it.each([
    // n / t_n; the intuitive rate is a constant one.
    ['intuitive', 1, 9 / 5],
    // 5 beta^ / 9 with beta^ = 1.183558.
    ['weibull', 1.183558, 9 / (5 * 1.183558)],
    // beta~ = .710135.
    ['weibull-corrected-shape', 0.710135, 9 / (5 * 0.710135)],
    // (n-1)(n-2)/n beta^ / t_n.
    ['weibull-unbiased', 0.710135, 9 / (((4 * 3) / 5) * 1.183558)],
    // lambda(t_n) as printed: .263013.
    ['weibull-printed-check', 0.710135, 1 / 0.263013],
    ['corrected-lambda', 0.710135, 1 / 0.263013],
    // (n-3) beta^ / t_n.
    ['weibull-printed-bar', 1.183558, 9 / (2 * 1.183558)],
    ['duane', 1 - slope, (alpha * 9 ** slope) / (1 - slope)],
    ['duane-cumulative', 1 - slope, alpha * 9 ** slope],
  ])(
    '%s has the exponent %f and predicts from the mean time at the end',
    async (name, exponent, mtbu) => {
      const { windows, next } = await json(five, '--estimator', name, ...wide)
      expect(windows).toHaveLength(1)
      expect(windows[0]).toMatchObject({ updates: 5, verdict: 'ok' })
      expect(windows[0].law.exponent).toBeCloseTo(exponent, 5)
      expect(windows[0].mtbu / day).toBeCloseTo(mtbu, 4)
      expect((next.at - origin) / day).toBeCloseTo(9 + mtbu, 4)
    },
  )

  it('compares all of them side by side, in text, JSON, CSV and the report', async () => {
    const { next, windows } = await json(five, '--compare', ...wide)
    expect(next.map((each: { estimator: string }) => each.estimator)).toEqual([
      'intuitive',
      'weibull',
      'weibull-corrected-shape',
      'weibull-unbiased',
      'weibull-printed-check',
      'weibull-printed-bar',
      'duane',
      'duane-cumulative',
    ])
    expect(windows[0].fits[1].law.exponent).toBeCloseTo(1.183558, 5)
    const files: Record<string, string> = { log: five }
    const { out } = await runHere(
      [
        ...['estimate', 'log', '--trend', '--compare', ...wide, '--csv', 't.csv'],
        ...['--html', 't.html', '--now', '2026-12-01T00:00:00Z'],
      ],
      { files },
    )
    // By hand: nine days and 9 / (5 beta^) = 1.5208 after the first visit, 1 January.
    expect(out).toMatch(/\nweibull +1\.18 +every 37 hours +2026-01-11 12:30 UTC +2026-01-/)
    expect(out).toMatch(/\nduane-cumulative +0\.71 +every 45 hours +2026-01-11 /)
    expect(files['t.csv']!.trim().split('\n')).toHaveLength(1 + 8)
    expect(files['t.html']).toContain('The last window by every estimator')
    expect(files['t.html']).toContain('weibull-printed-bar')
  })

  it('cuts windows by threshold and direction', async () => {
    // Daily for nine days, then every four days: the threshold of the paper, three days, ends the first.
    const log = logOfUpdates([1, 2, 3, 4, 5, 6, 7, 8, 9, 14, 19, 24, 29], 29)
    const cut = await json(log, '--threshold', '3d')
    expect(cut.windows.map(({ updates }: { updates: number }) => updates)).toEqual([9, 4])
    expect((await json(log, '--threshold', '100')).windows).toHaveLength(1)
    const back = await json(log, '--threshold', '3d', '--direction', 'backward')
    expect(back.windows.at(-1).updates).toBe(4)
  })

  it.each([
    [['--estimator', 'crystal-ball'], /no estimator "crystal-ball"; there are: intuitive, weibull/],
    [['--alpha', '1.5'], /above 0 and up to 1/],
    [['--threshold', 'far'], /is not a duration/],
    [['--direction', 'sideways'], /forward, backward/],
    [['--state', 'mine'], /fit, paper/],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await run(five, ...args)
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  it('belongs to --trend', async () => {
    const { err } = await runHere(['estimate', 'log', '--alpha', '1'], { files: { log: five } })
    expect(err).toContain('--alpha needs --trend')
  })
})

describe('the state of a window', () => {
  // Faster and faster (t^3), and at the very end two slow gaps.
  const times = Array.from({ length: 60 }, (_, i) => 90 * ((i + 1) / 60) ** (1 / 3))
  const rising = logOfUpdates(
    [...times.map((t) => Math.round(t * 4) / 4), 91, 93].filter(
      (t, i, all) => t > (all[i - 1] ?? 0),
    ),
    93,
  )

  it('follows the fit where it is significant, and the rule of the paper where asked', async () => {
    const backward = ['--threshold', '1000', '--direction', 'backward']
    const { test, windows, next } = await json(rising, ...backward)
    expect(test).toMatchObject({ direction: 'rising' })
    expect(windows.at(-1)).toMatchObject({ state: 'increasing', stateBy: 'fit' })
    expect(next.alpha).toBe(1)
    const paper = await json(rising, ...backward, '--state', 'paper')
    expect(paper.windows.at(-1)).toMatchObject({ state: 'decreasing', stateBy: 'paper' })
    expect(paper.next.alpha).toBe(0.7)
    expect(paper.windows.at(-1).cutState).toBe('decreasing')
  })
})
