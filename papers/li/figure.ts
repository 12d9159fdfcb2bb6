import { type LineChart, lineChart } from 'revisit/report'
import type { PaperFigure } from '../paper.js'

/** A figure of lines and dots, drawn for a wide window and for a phone. */
export function lineFigure({
  file,
  caption,
  ...chart
}: { readonly file: string; readonly caption: string } & Omit<
  LineChart,
  'description'
>): PaperFigure {
  const data = { ...chart, description: caption }
  const narrow = { narrowSvg: lineChart(data, { width: 350 }) }
  return { file, title: chart.title, caption, svg: lineChart(data), ...narrow }
}

/** An axis of times on which the label of the last power of ten has room at its right. */
export function roomy({ title, low, high }: { title: string; low: number; high: number }) {
  return { title, scale: 'log', domain: [low / 1.3, high * 2] } as const
}
