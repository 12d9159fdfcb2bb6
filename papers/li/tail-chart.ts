import type { LineSeries, PaperFigure } from 'revisit/report'
import { lineFigure } from './figure.js'

/** A figure of tails on two logarithmic axes, the same for all such figures. */
export function tailChart(figure: {
  readonly file: string
  readonly title: string
  readonly caption: string
  readonly series: readonly LineSeries[]
  readonly x?: string
  readonly lowest?: number
  readonly reach?: readonly [number, number]
}): PaperFigure {
  const { lowest = 1e-4, reach = [0.05, 50], ...sampled } = figure
  const title = figure.x ?? 'x (time units; an update every half unit on average)'
  return lineFigure({
    ...sampled,
    x: { title, scale: 'log', domain: reach },
    y: { title: 'Share longer than x', scale: 'log', domain: [lowest, 1] },
  })
}
