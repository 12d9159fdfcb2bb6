import * as Plot from '@observablehq/plot'
import { DAY, HOUR, humanDuration, MINUTE, type Seconds, WEEK, YEAR } from '../../model/index.js'
import { plane } from '../axis/plane.js'
import {
  emptyFigure,
  type FigureOptions,
  type FigureText,
  figureFrame,
  figureWidth,
} from '../frame/figure-frame.js'
import { isOneOf, type TimelineVisit, timelineRows } from './timeline-rows.js'

const lengths: readonly Seconds[] = [
  1,
  10,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  WEEK,
  2 * WEEK,
  4 * WEEK,
  13 * WEEK,
  YEAR,
  10 * YEAR,
]

/** The time line of very many visits: how many of each outcome in each stretch of time. O(visits). */
export function visitCounts(
  data: FigureText & { readonly visits: readonly TimelineVisit[] },
  options: FigureOptions = {},
): string {
  const width = figureWidth(options)
  const stretch = stretchFor(data.visits, width < 500 ? 40 : 80)
  const bars = stacked(data.visits, stretch)
  const area = plane(
    {
      x: { title: 'time', kind: 'time' },
      y: { title: `visits in ${humanDuration(stretch).replace(/^1 /, 'a ')}`, fromZero: true },
    },
    {
      xs: bars.flatMap(({ from, to }) => [from, to]),
      ys: bars.map(({ high }) => high),
      width,
      height: 220,
    },
  )
  if (area === null) return emptyFigure({ ...data, width }, 'No visit to draw')
  const { x, y } = area
  const rects = bars.map((bar) => ({
    x1: x.at(bar.from),
    x2: x.at(bar.to),
    y1: y.at(bar.low),
    y2: y.at(bar.high),
    colour: bar.colour,
  }))
  const shown = timelineRows.filter(({ colour }) => bars.some((bar) => bar.colour === colour))
  return figureFrame(
    {
      ...data,
      width,
      legend: shown.map(({ name, colour }) => ({ label: name, colour, sign: 'bar' })),
    },
    {
      ...area.options,
      marks: [
        Plot.rect(rects, {
          x1: 'x1',
          x2: 'x2',
          y1: 'y1',
          y2: 'y2',
          fill: 'colour',
          insetRight: 0.5,
        }),
      ],
    },
  )
}

interface StackedBar {
  readonly from: number
  readonly to: number
  readonly low: number
  readonly high: number
  readonly colour: string
}

function stacked(visits: readonly TimelineVisit[], stretch: Seconds): StackedBar[] {
  const counts = new Map<number, number[]>()
  for (const { at, outcome } of visits) {
    const place = Math.floor(at / stretch)
    const row = timelineRows.findIndex(({ outcomes }) => isOneOf(outcomes, outcome))
    const here = counts.get(place) ?? timelineRows.map(() => 0)
    here[row]! += 1
    counts.set(place, here)
  }
  return [...counts].flatMap(([place, here]) => {
    let low = 0
    return here.flatMap((count, row) => {
      const bar = { low, high: low + count, colour: timelineRows[row]!.colour }
      low += count
      return count === 0 ? [] : [{ from: place * stretch, to: (place + 1) * stretch, ...bar }]
    })
  })
}

function stretchFor(visits: readonly TimelineVisit[], most: number): Seconds {
  const times = visits.map(({ at }) => at)
  const span = times.reduce((a, b) => Math.max(a, b)) - times.reduce((a, b) => Math.min(a, b))
  return lengths.find((length) => span / length <= most) ?? span / most
}
