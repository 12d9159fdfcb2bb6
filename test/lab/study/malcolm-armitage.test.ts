import { describe, expect, it } from 'vitest'
import { runStudy } from '../../../src/lab/study/run-study.js'
import { studyOf } from '../../../src/lab/study/study.js'
import { studyResult } from '../../../src/lab/study/study-result.js'
import { DAY } from '../../../src/model/units.js'

/** Pages a cell; the oracles' table has 40,000. */
const pages = 8_000

/**
 * Shared oracles README, Malcolm & Armitage: bias, standard deviation in % and
 * visits of scenarios 3 and 6 (120 days, stop rule on), 40,000 pages each.
 */
const table = [
  ['5min', { bias: 1.0, sd: 9.95, visits: 101.0 }, { bias: 0.9916, sd: 11.79, visits: 116.6 }],
  ['1h', { bias: 1.0, sd: 9.9, visits: 101.0 }, { bias: 0.997, sd: 10.4, visits: 165.9 }],
  ['1d', { bias: 1.001, sd: 13.3, visits: 121.0 }, { bias: 1.01, sd: 12.5, visits: 133.2 }],
  ['3d', { bias: 0.993, sd: 21.4, visits: 119.7 }, { bias: 1.001, sd: 19.2, visits: 71.4 }],
  ['10d', { bias: 0.942, sd: 33.8, visits: 75.7 }, { bias: 1.014, sd: 36.8, visits: 52.4 }],
  ['62d', { bias: 0.949, sd: 76.2, visits: 18.9 }, { bias: 0.829, sd: 43.8, visits: 27.3 }],
] as const

describe.each([
  ['scenario 3: Listing 1, Last-Modified told', 'malcolm-armitage-1', 'honest', 1],
  ['scenario 6: Listing 2, no Last-Modified', 'malcolm-armitage-2', 'missing', 2],
] as const)('Malcolm & Armitage %s', (_, policy, lastModified, column) => {
  it.each(table)('at a change period of %s', (...row) => {
    const study = studyOf({
      process: `poisson:period=${row[0]}`,
      policy,
      lastModified,
      pages,
      length: 120 * DAY,
      seed: 4,
    })
    const { estimate, visits } = studyResult(study, runStudy(study, { from: 0, to: pages }))
    const expected = row[column]
    // The README's tolerances; the table's own error counts in the bias.
    const reach = 4 * (expected.sd / 100) * Math.sqrt(1 / pages + 1 / 40_000)
    expect(Math.abs(estimate!.bias.value! - expected.bias)).toBeLessThan(reach)
    expect(Math.abs(estimate!.spread.value! / expected.sd - 1)).toBeLessThan(0.08)
    expect(Math.abs(visits.value! / expected.visits - 1)).toBeLessThan(0.01)
  })
})
