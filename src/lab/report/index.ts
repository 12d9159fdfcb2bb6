/** Figures and report pages as SVG and HTML. Uses model and numeric. */
export { type Bar, type BarChart, barChart } from '../figures/bar-chart.js'
export { type FigureOptions, type FigureText, paperFigure } from '../figures/figure-frame.js'
export {
  type LineChart,
  type LinePoint,
  type LineSeries,
  lineChart,
  type ReferenceLine,
} from '../figures/line-chart.js'
export { type ScatterPlot, type ScatterPoint, scatterPlot } from '../figures/scatter-plot.js'
export type { Axis, AxisKind } from '../figures/ticks.js'
export type {
  ClaimVerdict,
  Finding,
  Paper,
  PaperFigure,
  PaperResult,
  PaperRun,
  PaperTable,
  Published,
} from './paper.js'
