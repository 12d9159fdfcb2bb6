import { barChart } from '../../../src/lab/figures/bar-chart.js'
import { distributionChart } from '../../../src/lab/figures/distribution-chart.js'
import { estimateSharpening } from '../../../src/lab/figures/estimate-sharpening.js'
import type { FigureOptions } from '../../../src/lab/figures/figure-frame.js'
import { hourOfWeek } from '../../../src/lab/figures/hour-of-week.js'
import { lineChart } from '../../../src/lab/figures/line-chart.js'
import { methodComparison } from '../../../src/lab/figures/method-comparison.js'
import { scatterPlot } from '../../../src/lab/figures/scatter-plot.js'
import { duanePlot, windowTimeline } from '../../../src/lab/figures/trend-windows.js'
import { visitTimeline } from '../../../src/lab/figures/visit-timeline.js'

const DAY = 86_400
/** Monday 2026-01-05, 00:00 UTC. */
const start = 1_767_571_200

const bounds = { low: 1 / (6 * DAY), high: 1 / DAY, level: 0.95 }
const visit = (day: number, outcome: 'first' | 'changed' | 'unchanged' | 'failed') => ({
  at: start + day * DAY,
  outcome,
  ...(outcome === 'changed' ? { contentAge: DAY / 3 } : {}),
})

/** Each figure of the room with data a person can check by eye. */
export const sampleFigures: Record<string, (options?: FigureOptions) => string> = {
  'visit-timeline': (options) =>
    visitTimeline(
      {
        visits: [
          visit(0, 'first'),
          visit(1, 'unchanged'),
          visit(2, 'changed'),
          visit(3, 'failed'),
          visit(4, 'unchanged'),
          visit(7, 'changed'),
        ],
      },
      options,
    ),
  'visit-counts': (options) =>
    visitTimeline(
      {
        visits: Array.from({ length: 300 }, (_, i) =>
          visit(i / 4, i === 0 ? 'first' : i % 5 === 0 ? 'changed' : 'unchanged'),
        ),
      },
      options,
    ),
  'estimate-sharpening': (options) =>
    estimateSharpening(
      {
        method: 'irregular-mle',
        points: [1, 2, 3, 5, 8, 13, 21].map((n) => ({
          visits: n + 1,
          changePeriod: 3 * DAY + DAY / n,
          standIn: n < 3,
          bounds: { low: 1 / ((3 + 9 / n) * DAY), high: n === 1 ? null : n / DAY / 3, level: 0.95 },
        })),
      },
      options,
    ),
  'method-comparison': (options) =>
    methodComparison(
      {
        rows: [
          { method: 'intuitive', changePeriod: 4 * DAY, bounds },
          { method: 'bias-reduced', changePeriod: 3 * DAY, bounds, note: 'the gaps are unequal' },
          { method: 'posterior', changePeriod: 5 * DAY, bounds, note: 'no change', standIn: true },
          { method: 'online', changePeriod: 2.5 * DAY, bounds: { ...bounds, high: null } },
          { method: 'last-modified', changePeriod: null, bounds: null, note: 'no Last-Modified' },
        ],
      },
      options,
    ),
  'distribution-chart': (options) =>
    distributionChart(
      {
        title: 'How old the content is',
        subtitle: 'By m2',
        xTitle: 'time since the last change',
        name: 'this page',
        curve: { x: [0.5, 1, 2, 4].map((x) => x * DAY), cdf: [0.4, 0.6, 0.8, 1], shape: 'steps' },
        band: {
          x: [0.5, 1, 2, 4].map((x) => x * DAY),
          low: [0.2, 0.4, 0.6, 0.8],
          high: [0.6, 0.8, 0.9, 1],
          level: 0.95,
        },
        poisson: 1 / DAY,
      },
      options,
    ),
  'duane-plot': (options) =>
    duanePlot(
      {
        windows: (['constant', 'increasing', 'decreasing'] as const).map((state, i) => {
          const points = [1, 2, 4, 8].map((k) => ({
            time: k * DAY * (i + 1),
            meanGap: DAY * k ** ((i - 1) / 3),
          }))
          return { state, points, fit: [points[0]!, points[3]!] }
        }),
      },
      options,
    ),
  'window-timeline': (options) =>
    windowTimeline(
      {
        updates: [1, 2, 3, 5, 8, 13, 21, 34].map((day, i, days) => ({
          at: start + day * DAY,
          gap: (day - (days[i - 1] ?? 0)) * DAY,
        })),
        windows: [
          {
            state: 'constant',
            from: start,
            to: start + 3 * DAY,
            fit: [1, 3].map((day) => ({ at: start + day * DAY, meanGap: DAY })),
          },
          {
            state: 'decreasing',
            from: start + 3 * DAY,
            to: start + 34 * DAY,
            fit: [5, 13, 34].map((day) => ({ at: start + day * DAY, meanGap: (day / 2.6) * DAY })),
          },
        ],
        verdict: 'It changes slower than it did (p = 0.02 if it were steady).',
      },
      options,
    ),
  'hour-of-week': (options) => {
    const changes = new Array<number>(168).fill(0)
    for (const day of [0, 1, 2, 3, 4]) changes[24 * day + 9] = 4 + day
    const watched = new Array<number>(168).fill(10)
    watched[167] = 0
    return hourOfWeek({ changes, watched }, options)
  },
  'line-chart': (options) =>
    lineChart(
      {
        title: 'Freshness by budget',
        subtitle: 'Bands hold 95% of the runs',
        description: 'Two lines that rise.',
        x: { title: 'visits per page and day', scale: 'log' },
        y: { title: 'share of time fresh', kind: 'share' },
        series: ['optimal', 'uniform'].map((name, k) => ({
          name,
          points: [0.1, 0.3, 1, 3, 10].map((x) => {
            const y = 1 - Math.exp(-x / (k + 1))
            return { x, y, low: y - 0.05, high: y + 0.05 }
          }),
        })),
        references: [{ name: 'bound', y: 0.9 }],
      },
      options,
    ),
  'bar-chart': (options) =>
    barChart(
      {
        title: 'Requests for the same freshness',
        description: 'Four bars.',
        value: { title: 'requests per page and day' },
        bars: ['uniform', 'optimal'].flatMap((label, i) => [
          { label, group: 'steady', value: 4 - i, low: 3.5 - i, high: 4.4 - i },
          { label, group: 'bursty', value: 3 - i },
        ]),
      },
      options,
    ),
  'scatter-plot': (options) =>
    scatterPlot(
      {
        title: 'Ours beside the published',
        description: 'Points near a line.',
        x: { title: 'true change period', kind: 'duration', scale: 'log', margin: 0.04 },
        y: { title: 'estimated change period', kind: 'duration', scale: 'log', margin: 0.04 },
        groups: [
          { name: 'ours', points: [1, 3, 10].map((x) => ({ x: x * DAY, y: 1.1 * x * DAY })) },
        ],
        published: { name: 'published', points: [{ x: 3 * DAY, y: 3.2 * DAY, label: 'Table 2' }] },
        equalLine: true,
      },
      options,
    ),
}
