import asciichart from 'asciichart'
import type { TextOutput } from '../environment.js'

export interface TerminalChart {
  readonly title: string
  /** The curve from 0, the left end, to 1, the right end; finite. */
  value(share: number): number
  /** Another one to compare it with: plotted where the terminal can show colours. */
  beside?(share: number): number
  readonly besideName?: string
  readonly low: number
  readonly high: number
  /** Lines above the lowest; 8 by default. */
  readonly height?: number
  label(value: number): string
  /** What stands under the left and the right end. */
  readonly from: string
  readonly to: string
}

/** A small chart of text: a title, a curve, and what its ends are. */
export function terminalChart(chart: TerminalChart, { columns }: TextOutput): string {
  const { low, high, height = 8 } = chart
  const rows = Array.from({ length: height + 1 }, (_, i) => low + ((high - low) * i) / height)
  const gutter = Math.max(...rows.map((row) => chart.label(row).length))
  const width = Math.max(20, Math.min(72, (columns ?? 80) - gutter - 3))
  const sampled = (curve: (share: number) => number) =>
    Array.from({ length: width }, (_, i) => within(curve(i / (width - 1)), chart))
  const { beside } = chart
  const coloured = columns !== undefined && beside !== undefined
  const series = [...(coloured ? [sampled((x) => beside(x))] : []), sampled((x) => chart.value(x))]
  const plotted = asciichart.plot(series, {
    height,
    min: low,
    max: high,
    offset: 2,
    format: (value) => chart.label(value).padStart(gutter),
    ...(coloured ? { colors: [asciichart.darkgray, asciichart.lightblue] } : {}),
  })
  const space = ' '.repeat(Math.max(1, width - chart.from.length - chart.to.length))
  const axis = `${' '.repeat(gutter + 2)}${chart.from}${space}${chart.to}`
  const key = coloured ? `  (blue; grey: ${chart.besideName})` : ''
  return `${chart.title}${key}\n${plotted}\n${axis}`
}

function within(value: number, { low, high }: TerminalChart): number {
  return Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : low
}
