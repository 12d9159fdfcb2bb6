/** Figures and report pages as SVG and HTML. Uses model and numeric. */
export { type Bar, type BarChart, barChart } from './../figures/bar-chart.js'
export {
  type DistributionChart,
  distributionChart,
  type PlottedDistribution,
} from './../figures/distribution-chart.js'
export {
  type EstimateSharpening,
  estimateSharpening,
  type SharpeningPoint,
} from './../figures/estimate-sharpening.js'
export {
  type FigureOptions,
  type FigureText,
  paperFigure,
  responsiveFigure,
} from './../figures/figure-frame.js'
export { type HourOfWeek, hourOfWeek } from './../figures/hour-of-week.js'
export {
  type LineChart,
  type LinePoint,
  type LineSeries,
  lineChart,
  type ReferenceLine,
} from './../figures/line-chart.js'
export {
  type MethodComparison,
  type MethodRow,
  methodComparison,
} from './../figures/method-comparison.js'
export { embedded, figureStyle, palette, seriesColour } from './../figures/palette.js'
export { type ScatterPlot, type ScatterPoint, scatterPlot } from './../figures/scatter-plot.js'
export type { Axis, AxisKind } from './../figures/ticks.js'
export {
  type DuanePlot,
  type DuanePoint,
  type DuaneWindow,
  duanePlot,
  type PlottedWindowState,
  type TimelineWindow,
  type WindowTimeline,
  windowTimeline,
} from './../figures/trend-windows.js'
export {
  type TimelineVisit,
  type VisitTimeline,
  visitTimeline,
} from './../figures/visit-timeline.js'
export { type Cell, type HtmlTable, htmlDocument, htmlTable } from './html-document.js'
export { type PageSummary, pageSummary } from './page-summary.js'
export {
  type ClaimVerdict,
  claimVerdicts,
  type Finding,
  type JudgedClaim,
  type JudgedClaims,
  judgedClaims,
  type Paper,
  type PaperFigure,
  type PaperResult,
  type PaperRun,
  type PaperTable,
  type Published,
  type PublishedClaim,
  verdictCounts,
} from './paper.js'
export {
  type IndexEntry,
  type PageReport,
  pageSection,
  type ReportPage,
  reportPage,
} from './report-page.js'
export {
  type ReproducedPaper,
  type ReproductionPage,
  reproductionPage,
} from './reproduction-page.js'
