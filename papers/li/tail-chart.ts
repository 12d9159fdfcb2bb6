import { type LineSeries, lineChart } from 'revisit/report'
import type { PaperFigure } from '../paper.js'

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
  const { file, title, caption, series, lowest = 1e-4, reach = [0.05, 50] } = figure
  const x = {
    title: figure.x ?? 'x (time units; an update every half unit on average)',
    scale: 'log',
    domain: reach,
  } as const
  const y = { title: 'Share longer than x', scale: 'log', domain: [lowest, 1] } as const
  const svg = lineChart({ title, subtitle: caption, description: caption, x, y, series })
  return { file, title, caption, svg }
}
