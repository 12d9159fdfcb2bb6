import { describe, expect, it } from 'vitest'
import { changeProcess, processes } from '../../../src/lab/process/registry.js'
import { parseDuration } from '../../../src/model/duration.js'
import { DAY, HOUR, MINUTE, WEEK } from '../../../src/model/units.js'
import { Random } from '../../../src/numeric/random.js'

describe('processes', () => {
  it.each(processes)('$name is described, and made from its defaults', (kind) => {
    expect(kind.summary.length).toBeGreaterThan(10)
    for (const each of kind.parameters) expect(each.description.length).toBeGreaterThan(5)
    const process = changeProcess(kind.name)
    expect(process.name).toBe(kind.name)
    const written = kind.parameters.map((each) => `${each.name}=${each.default}`).join(',')
    expect(changeProcess(`${kind.name}:${written}`).summary).toBe(process.summary)
    const timeline = process.timeline({ from: 0, random: new Random(1) })
    expect(timeline.advance(1000 * DAY)).toBe(true)
  })
})

describe('changeProcess', () => {
  it.each([
    ['weibull:period=3d,shape=0.5', 3 * DAY, /shape 0.5, every 3 days/],
    [' poisson : period = 5min ', 5 * MINUTE, /every 5 minutes/],
    ['uniform:longest=4h,shortest=2h', 3 * HOUR, /between 2 hours and 4 hours/],
    ['hyperexponential:periods=1d/6d,shares=4/1', 2 * DAY, /2 kinds/],
    ['lattice:step=1w,masses=1/1', 1.5 * WEEK, /whole steps of 7 days/],
    [
      'change-point:before=(constant:period=1h),after=(pareto:period=2d,shape=1.5),at=2w',
      2 * DAY,
      /first changes like a clock, every 60 minutes; after 14 days: heavy-tailed/,
    ],
    [
      'change-point:after=(change-point:at=1d),before=constant',
      WEEK,
      /clock.*60 days.*after 24 hours/,
    ],
  ])('reads %s', (spec, changePeriod, summary) => {
    const process = changeProcess(spec)
    expect(process.changePeriod).toBeCloseTo(changePeriod, 6)
    expect(process.summary).toMatch(summary)
  })

  it.each([
    ['zipf', 'unknown-process', /no process "zipf".*poisson.*change-point/],
    ['', 'unknown-process', /no process "".*poisson/],
    ['weibull:period=3d,form=2', 'unknown-parameter', /no parameter "form"; it has: period, shape/],
    ['weibull:shape', 'bad-parameter', /"shape" is not of the form name=value/],
    ['weibull:shape=1,shape=2', 'bad-parameter', /shape is given twice/],
    ['weibull:shape=', 'bad-parameter', /shape: "" is not a number/],
    ['weibull:shape=0', 'bad-parameter', /weibull: shape is 0/],
    [
      'poisson:period=3 fortnights',
      'bad-duration',
      /poisson: period: "3 fortnights".*min, h, d, w/,
    ],
    ['poisson:period=-1d', 'bad-parameter', /poisson: period is -86400/],
    ['hyperexponential:periods=1d', 'bad-parameter', /1 periods and 2 shares/],
    ['change-point:before=(poisson', 'bad-parameter', /parentheses/],
    ['change-point:before=poisson)', 'bad-parameter', /parentheses/],
    ['change-point:before=(zipf)', 'unknown-process', /change-point: before: there is no process/],
  ])('refuses "%s"', (spec, code, message) => {
    expect(() => changeProcess(spec)).toThrow(expect.objectContaining({ code }))
    expect(() => changeProcess(spec)).toThrow(message)
  })
})

describe('parseDuration', () => {
  it.each([
    ['90', 90],
    ['250ms', 0.25],
    ['5min', 300],
    ['5m', 300],
    ['36 hours', 129_600],
    ['2h', 7200],
    ['1.5 d', 129_600],
    ['2w', 1_209_600],
    ['1mo', 2_629_746],
    ['.5y', 15_778_476],
  ])('reads %s', (text, seconds) => {
    expect(parseDuration(text)).toBeCloseTo(seconds, 9)
  })

  it.each(['', 'd', '3x', '1d2h', '5constructor', '1/2d'])('refuses "%s"', (text) => {
    expect(() => parseDuration(text)).toThrow(expect.objectContaining({ code: 'bad-duration' }))
  })
})
