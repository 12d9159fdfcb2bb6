import asciichart from 'asciichart'
import type { TextOutput } from '../environment.js'

export interface TerminalChart {
  readonly title: string
  /** The curve from 0, the left end, to 1, the right end; finite. */
  value(share: number): number
  /** What the curve is called beside others. */
  readonly name?: string
  /** Others to compare it with: plotted where the terminal can show colours. */
  readonly beside?: readonly { readonly name: string; value(share: number): number }[]
  readonly low: number
  readonly high: number
  /** Lines above the lowest; 8 by default. */
  readonly height?: number
  label(value: number): string
  /** What stands under the left and the right end. */
  readonly from: string
  readonly to: string
}

/** The last is for what stands beside them all, such as a Poisson page. */
const colours = [
  { name: 'red', sign: asciichart.lightred },
  { name: 'green', sign: asciichart.lightgreen },
  { name: 'yellow', sign: asciichart.yellow },
  { name: 'magenta', sign: asciichart.magenta },
  { name: 'cyan', sign: asciichart.lightcyan },
  { name: 'white', sign: asciichart.white },
  { name: 'brown', sign: asciichart.red },
  { name: 'dark green', sign: asciichart.green },
  { name: 'grey', sign: asciichart.darkgray },
]

function colourOf(i: number, all: readonly unknown[]): (typeof colours)[number] {
  return i === all.length - 1 ? colours.at(-1)! : colours[i]!
}

/** A small chart of text: a title, a curve, and what its ends are. */
export function terminalChart(chart: TerminalChart, { columns }: TextOutput): string {
  const { low, high, height = 8 } = chart
  const rows = Array.from({ length: height + 1 }, (_, i) => low + ((high - low) * i) / height)
  const gutter = Math.max(...rows.map((row) => chart.label(row).length))
  const width = Math.max(20, Math.min(72, (columns ?? 80) - gutter - 3))
  const sampled = (curve: (share: number) => number) =>
    Array.from({ length: width }, (_, i) => within(curve(i / (width - 1)), chart))
  const beside = columns === undefined ? [] : (chart.beside ?? []).slice(-colours.length)
  // The last is plotted over those before it.
  const series = [
    ...beside.map((each) => sampled((x) => each.value(x))).reverse(),
    sampled((x) => chart.value(x)),
  ]
  const plotted = asciichart.plot(series, {
    height,
    min: low,
    max: high,
    offset: 2,
    format: (value) => chart.label(value).padStart(gutter),
    ...(beside.length === 0
      ? {}
      : {
          colors: [
            ...beside.map((_, i) => colourOf(i, beside).sign).reverse(),
            asciichart.lightblue,
          ],
        }),
  })
  const space = ' '.repeat(Math.max(1, width - chart.from.length - chart.to.length))
  const axis = `${' '.repeat(gutter + 2)}${chart.from}${space}${chart.to}`
  const others = beside.map(({ name }, i) => `${colourOf(i, beside).name}: ${name}`)
  const own = chart.name === undefined ? 'blue' : `blue: ${chart.name}`
  const key = others.length === 0 ? '' : `  (${[own, ...others].join('; ')})`
  return `${chart.title}${key}\n${plotted}\n${axis}`
}

function within(value: number, { low, high }: TerminalChart): number {
  return Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : low
}
