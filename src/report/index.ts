export type { Axis, AxisKind } from './axis/axis.js'
export { type Bar, type BarChart, barChart } from './figures/bar-chart.js'
export { type Cell, type HtmlTable, htmlTable } from './figures/html-table.js'
export {
  type LineChart,
  type LinePoint,
  type LineSeries,
  lineChart,
  type ReferenceLine,
} from './figures/line-chart.js'
export { type ScatterPlot, type ScatterPoint, scatterPlot } from './figures/scatter-plot.js'
export type { FigureOptions, FigureText } from './frame/figure-frame.js'
export { embedded, figureStyle } from './frame/figure-style.js'
export { palette, seriesColour } from './frame/palette.js'
export { escaped, shownText } from './frame/shown-text.js'
