import type { Finding } from 'revisit/report'
import { graded, percent } from '../words.js'
import { type ClockPoint, clockProcesses } from './clock-pages.js'
import type { RealPoint } from './real-pages.js'

/** The future work: can a page of one day at a fixed hour be measured? */
export function findingClock(points: readonly ClockPoint[]): Finding {
  const [constant] = clockProcesses
  const exact = points.filter(({ process }) => process === constant!.name)
  const good = exact.filter(({ bias, sd }) => Math.abs(bias - 1) < 0.1 && sd < 0.2)
  const shown = exact.map(({ scenario, bias }) => `${scenario} ${bias.toFixed(2)}`).join(', ')
  return {
    claim: 'same-hour-each-day',
    ours: `bias ratios for a page that changes every 24 h: ${shown}`,
    verdict: graded({ holds: good.length === exact.length, inPart: good.length > 0 }),
    why: 'Daily visits see a change each time (eq. 3 says 0), and always the same content age (on average half a day); even Listing 2 settles at a gap that reads Poisson chances into a clock. Changes at random within one hour of the day are measured well without Last-Modified, but the deviation of the mean content age doubles.',
  }
}

export function findingReal(points: readonly RealPoint[]): Finding {
  const all = points.filter(({ pages }) => pages === 'all')
  const one = (scenario: string) => all.find((each) => each.scenario === scenario)!
  const shown = all
    .map(
      ({ scenario, median, withinTwo }) =>
        `${scenario} ${median.toFixed(2)} (${percent(withinTwo, { digits: 0 })})`,
    )
    .join(', ')
  const centred = all.every(({ median }) => Math.abs(median - 1) < 0.15)
  return {
    claim: 'real-pages',
    ours: `median of estimate / truth (share within a factor of 2): ${shown}`,
    verdict: graded({
      holds: centred && all.every(({ withinTwo }) => withinTwo > 0.9),
      inPart: centred,
    }),
    why: `${one('S1').count} real pages for a year. Medians are near 1, but real changes come in bursts: the mean content age, which weighs quiet stretches by their length, is off by more than a factor of 2 on a fifth of the pages, and Cho & Garcia-Molina with Last-Modified do best.`,
  }
}
