import { describe, expect, it } from 'vitest'
import { runCli } from '../../fixtures/run-cli.js'
import { runHere } from '../../fixtures/small-environment.js'

const simulate = (text: string) => runHere(['simulate', ...text.split(' ')])

describe('revisit simulate', () => {
  it('makes a table of every process with every policy', async () => {
    const { code, out, err } = await simulate(
      '-p poisson:period=3d -p constant:period=2d -P fixed:gap=1d -P malcolm-armitage-2 --pages 50',
    )
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(
      /^50 pages of each process, visited for 120 days; Last-Modified missing; seed 1\n/,
    )
    const short = await simulate('-p poisson -P fixed:gap=1h --pages 1 --days 1')
    expect(short.out).toMatch(/^1 page of each process, visited for 1 day; /)
    const rows = out.trim().split('\n').slice(3)
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 3))).toEqual([
      ['poisson:period=3d', 'fixed:gap=1d', 'irregular-mle'],
      ['poisson:period=3d', 'malcolm-armitage-2', 'detection-gap'],
      ['constant:period=2d', 'fixed:gap=1d', 'irregular-mle'],
      ['constant:period=2d', 'malcolm-armitage-2', 'detection-gap'],
    ])
  })

  // By hand: a page that changes every 2 days at an unknown moment, visited daily: one day in
  // two starts with a change that lies on average half a day before the visit, so it is stale
  // 1/4 of the time; every change is caught, every other visit needless.
  it('tells what is known of a clock, as JSON', async () => {
    const { out } = await simulate('-p constant:period=2d -P fixed:gap=1d --pages 2000 --json')
    const [study] = JSON.parse(out)
    expect(study).toMatchObject({ policy: 'fixed:gap=1d', pages: 2000, seed: 1 })
    expect(Math.abs(study.freshness.value - 0.75)).toBeLessThan(5 * study.freshness.standardError)
    expect(study.needless.value).toBe(0.5)
    expect(study.caught.value).toBeGreaterThan(0.98)
    expect(study.visits.value).toBe(121)
  })

  it('writes a report with its figures and every row', async () => {
    const files: Record<string, string> = {}
    const specs = '-p poisson:period=3d -p gamma:shape=0.5 -P nutch -P fixed:gap=1d --pages 20'
    const { code } = await runHere(['simulate', ...specs.split(' '), '--html', 'out.html'], {
      files,
    })
    expect(code).toBe(0)
    const html = files['out.html']!
    expect(html).toMatch(/^<!doctype html>/)
    expect(html.match(/<figure>/g)).toHaveLength(3)
    expect(html.match(/<th scope="row">/g)).toHaveLength(4)
    expect(html).toContain('gamma:shape=0.5')
    expect(html).not.toMatch(/NaN|undefined|Infinity|<script|http-equiv="refresh"/)
  })

  it('warns of a learner that is told nothing', async () => {
    const { code, err } = await simulate('-p poisson -P malcolm-armitage-1 --pages 2')
    expect(code).toBe(0)
    expect(err).toMatch(/learns nothing without Last-Modified; try --last-modified honest/)
  })

  it.each([
    ['--processes list', /^poisson +changes without memory.*\n {2}period=1d +mean time between/],
    ['--policies list', /malcolm-armitage-2 .*\n {2}changes=100 /],
    ['--learners list', /^intuitive +time \/ changes seen/],
  ])('%s describes what there is', async (args, text) => {
    const { code, out } = await simulate(args)
    expect(code).toBe(0)
    expect(out).toMatch(text)
  })

  it('describes what there is for programs too', async () => {
    const { code, out } = await simulate('--policies list --processes list --json')
    expect(code).toBe(0)
    const reported = JSON.parse(out)
    expect(Object.keys(reported)).toEqual(['processes', 'policies'])
    expect(reported.processes[0]).toMatchObject({
      name: 'poisson',
      parameters: [{ name: 'period', default: '1d' }],
    })
    expect(reported.policies.map(({ name }: { name: string }) => name)).toContain(
      'malcolm-armitage-2',
    )
  })

  it.each([
    ['-P nutch', /say --process, such as --process poisson:period=3d; --processes list/],
    ['-p poisson', /say --policy/],
    ['-p poison -P nutch', /no process "poison"; there are: poisson, constant/],
    ['-p poisson -P nutsch', /no policy "nutsch"; there are: auto, fixed/],
    [
      '-p poisson:period=-1d -P nutch',
      /poisson: period is -86400, but it must be a finite time above 0/,
    ],
    ['-p weibull:shape=0 -P nutch', /weibull: shape is 0, but/],
    ['-p poisson -P fixed:gap=0s', /gap must be a positive duration; got 0/],
    ['-p poisson -P nutch --learner crystal', /no learner "crystal"; there are: intuitive/],
    [
      '-p poisson -P nutch --last-modified shy',
      /no Last-Modified of kind "shy"; there are: honest/,
    ],
    ['-p poisson -P nutch --pages 0', /--pages takes a whole number from 1 on; got "0"/],
    ['-p poisson -P nutch --days 0', /--days takes a number of days above 0/],
    ['-p poisson -P nutch --seed -1', /--seed takes a whole number from 0 on; got "-1"/],
    ['-p poisson -P nutch --threads 0', /--threads takes a whole number from 1 on/],
    ['--policies show', /--policies takes the word list; got "show"/],
    ['-p poisson -P fixed:gap=1s --pages 100000', /more than 1,000,000,000 .*say --yes/],
    ['-p constant:period=1ms -P nutch', /more than 1,000,000,000 .*say --yes/],
  ])('refuses %s', async (args, message) => {
    const { code, err } = await simulate(args)
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  it('asks before a long run where there is somebody to ask', async () => {
    const args = ['simulate', '-p', 'poisson', '-P', 'fixed:gap=1s', '--pages', '100000']
    const asked: string[] = []
    const { code, out } = await runHere(args, {
      ask: async (question) => {
        asked.push(question)
        return false
      },
    })
    expect([code, out]).toEqual([2, ''])
    expect(asked).toEqual([expect.stringMatching(/^this takes about 1\.0e\+12 .*Go on\?$/)])
  })
})

describe('the built command', () => {
  it('writes the same bytes with 1 and 2 threads', async () => {
    const run = (threads: number) =>
      runCli(
        `simulate -p poisson:period=3d -p gamma -P malcolm-armitage-2 -P random-gaps-uniform --pages 200 --json --threads ${threads}`.split(
          ' ',
        ),
      )
    const alone = await run(1)
    expect(alone.code).toBe(0)
    expect(JSON.parse(alone.out)).toHaveLength(4)
    expect(await run(2)).toEqual(alone)
  })
})
