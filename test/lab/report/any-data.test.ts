import fc from 'fast-check'
import { describe, it } from 'vitest'
import { type Bar, barChart } from '../../../src/lab/figures/bar-chart.js'
import { distributionChart } from '../../../src/lab/figures/distribution-chart.js'
import { estimateSharpening } from '../../../src/lab/figures/estimate-sharpening.js'
import { hourOfWeek } from '../../../src/lab/figures/hour-of-week.js'
import { lineChart } from '../../../src/lab/figures/line-chart.js'
import { methodComparison } from '../../../src/lab/figures/method-comparison.js'
import { scatterPlot } from '../../../src/lab/figures/scatter-plot.js'
import { duanePlot, windowTimeline } from '../../../src/lab/figures/trend-windows.js'
import { visitTimeline } from '../../../src/lab/figures/visit-timeline.js'
import { reportPage } from '../../../src/lab/report/report-page.js'
import { outcomes } from '../../../src/model/history.js'
import { expectSound } from './well-formed.js'

/** Any number there is, and often the ones that break things. */
const number = fc.oneof(
  fc.constantFrom(
    0,
    1,
    -1,
    60,
    86_400,
    1.7e9,
    Number.NaN,
    Infinity,
    -Infinity,
    5e-324,
    1e308,
    -1e308,
  ),
  fc.double(),
  fc.integer({ min: 0, max: 100 }),
)
const maybe = fc.option(number)
const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('', '<b>&"\'', '\u202e\u0000'),
)
const width = fc.oneof(fc.constantFrom(350, 760), fc.constantFrom(0, -1, Number.NaN, 1))
const bounds = fc.option(fc.record({ low: number, high: maybe, level: number }))
const axis = fc.record({
  title: word,
  kind: fc.constantFrom('number', 'share', 'duration', 'time'),
  scale: fc.constantFrom('linear', 'log'),
  margin: fc.constantFrom(0, 0.05),
  fromZero: fc.boolean(),
})
const list = <T>(each: fc.Arbitrary<T>) => fc.array(each, { maxLength: 8 })
const text = { title: word, subtitle: word, description: word }
const state = fc.constantFrom('constant', 'increasing', 'decreasing')
const point = fc.record({ time: number, meanGap: number })
const numbers = list(number)
const runs = { seed: 51, numRuns: 80 }

const holds = <T>(data: fc.Arbitrary<T>, draw: (data: T, width: number) => string) =>
  fc.assert(
    fc.property(data, width, (each, size) => expectSound(draw(each, size))),
    runs,
  )

describe('any data at all, none among them, draw a sound figure:', () => {
  it('lineChart', () => {
    const points = list(fc.record({ x: number, y: maybe, low: maybe, high: maybe }))
    const plottedAs = fc.constantFrom('line', 'steps', 'dots', 'band')
    const series = list(fc.record({ name: word, points, plottedAs }))
    const references = list(fc.record({ name: word, x: number, y: number }))
    holds(fc.record({ ...text, x: axis, y: axis, series, references }), (data, width) =>
      lineChart(data as Parameters<typeof lineChart>[0], { width }),
    )
  })

  it('scatterPlot', () => {
    const points = list(fc.record({ x: number, y: number, label: word }))
    const group = fc.record({ name: word, points })
    const data = { ...text, x: axis, y: axis, groups: list(group), published: group }
    holds(fc.record({ ...data, equalLine: fc.boolean() }), (each, width) =>
      scatterPlot(each as Parameters<typeof scatterPlot>[0], { width }),
    )
  })

  it('barChart', () => {
    const bar = fc.record({ label: word, value: number, group: word, low: number, high: number })
    holds(fc.record({ ...text, value: axis, bars: list(bar) }), (data, width) =>
      barChart({ ...data, bars: data.bars as Bar[] } as Parameters<typeof barChart>[0], { width }),
    )
  })

  it('visitTimeline', () => {
    const one = fc.record({ at: number, outcome: fc.constantFrom(...outcomes), contentAge: number })
    const visits = fc.oneof(list(one), fc.array(one, { minLength: 251, maxLength: 260 }))
    holds(fc.record({ visits }), (data, width) => visitTimeline(data, { width }))
  })

  it('estimateSharpening', () => {
    const points = list(
      fc.record({ visits: number, changePeriod: maybe, bounds, standIn: fc.boolean() }),
    )
    holds(fc.record({ method: word, points }), (data, width) => estimateSharpening(data, { width }))
  })

  it('methodComparison', () => {
    const row = fc.record({
      method: word,
      changePeriod: maybe,
      bounds,
      note: word,
      standIn: fc.boolean(),
    })
    holds(fc.record({ rows: list(row) }), (data, width) => methodComparison(data, { width }))
  })

  it('distributionChart', () => {
    const shape = fc.constantFrom('steps', 'line')
    const curve = fc.record({ x: numbers, cdf: numbers, shape })
    const band = fc.record({ x: numbers, low: numbers, high: numbers, level: number })
    const data = { title: word, xTitle: word, name: word, curve, band, poisson: number }
    holds(fc.record(data), (each, width) =>
      distributionChart(each as Parameters<typeof distributionChart>[0], { width }),
    )
  })

  it('duanePlot', () => {
    const window = fc.record({ state, points: list(point), fit: list(point) })
    holds(fc.record({ windows: fc.array(window, { maxLength: 12 }) }), (data, width) =>
      duanePlot(data as Parameters<typeof duanePlot>[0], { width }),
    )
  })

  it('windowTimeline', () => {
    const fit = list(fc.record({ at: number, meanGap: maybe }))
    const windows = list(fc.record({ state, from: number, to: number, fit }))
    const updates = list(fc.record({ at: number, gap: number }))
    holds(fc.record({ updates, windows, verdict: word }), (data, width) =>
      windowTimeline(data as Parameters<typeof windowTimeline>[0], { width }),
    )
  })

  it('hourOfWeek', () => {
    const hours = fc.oneof(numbers, fc.array(number, { minLength: 168, maxLength: 168 }))
    holds(fc.record({ changes: hours, watched: hours, dated: number }), (data, width) =>
      hourOfWeek(data, { width }),
    )
  })

  it('reportPage', () => {
    const evidence = fc.record({
      visits: number,
      observations: number,
      changes: number,
      samplingPeriod: number,
      unchangedTime: number,
      contentAges: number,
    })
    const verdict = fc.constantFrom('ok', 'no-change-seen', 'always-changed', 'short-sampling')
    const estimate = fc.record({
      method: word,
      changeRate: maybe,
      changePeriod: maybe,
      bounds,
      evidence,
      verdict,
    })
    const page = fc.record({ url: word, estimate, lastChange: maybe, notes: list(word) })
    holds(fc.record({ title: word, intro: word, pages: list(page), foot: word }), (data) => {
      const index = data.pages as Parameters<typeof reportPage>[0]['index']
      const html = reportPage({ ...data, pages: index as never, index })
      // HTML's empty elements and its doctype do not close.
      return html.replace(/<meta[^>]*>|<!doctype html>/g, '')
    })
  })
})
