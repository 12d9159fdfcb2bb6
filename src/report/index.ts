export type { Axis, AxisKind } from './axis/axis.js'
export { type Bar, type BarChart, barChart } from './figures/bar-chart.js'
export {
  type DistributionChart,
  type DrawnDistribution,
  distributionChart,
} from './figures/distribution-chart.js'
export {
  type DuanePlot,
  type DuanePoint,
  type DuaneWindow,
  duanePlot,
} from './figures/duane-plot.js'
export {
  type EstimateSharpening,
  estimateSharpening,
  type SharpeningPoint,
} from './figures/estimate-sharpening.js'
export { type HourOfWeek, hourOfWeek } from './figures/hour-of-week.js'
export { type Cell, type HtmlTable, htmlTable } from './figures/html-table.js'
export {
  type LineChart,
  type LinePoint,
  type LineSeries,
  lineChart,
  type ReferenceLine,
} from './figures/line-chart.js'
export {
  type MethodComparison,
  type MethodRow,
  methodComparison,
} from './figures/method-comparison.js'
export { type ScatterPlot, type ScatterPoint, scatterPlot } from './figures/scatter-plot.js'
export type { TimelineVisit } from './figures/timeline-rows.js'
export { type VisitTimeline, visitTimeline } from './figures/visit-timeline.js'
export {
  type TimelineWindow,
  type WindowTimeline,
  windowTimeline,
} from './figures/window-timeline.js'
export type { DrawnWindowState } from './figures/window-words.js'
export type { FigureOptions, FigureText } from './frame/figure-frame.js'
export { embedded, figureStyle } from './frame/figure-style.js'
export { palette, seriesColour } from './frame/palette.js'
export { escaped, shownText } from './frame/shown-text.js'
export { htmlDocument } from './page/html-document.js'
export { type PageReport, pageSection } from './page/page-section.js'
export { type PageSummary, pageSummary } from './page/page-summary.js'
export { type IndexEntry, type ReportPage, reportPage } from './page/report-page.js'
export { responsiveFigure } from './page/responsive-figure.js'
export {
  claimVerdicts,
  type JudgedClaim,
  type JudgedClaims,
  judgedClaims,
  verdictCounts,
} from './reproduction/judged-claims.js'
export type {
  ClaimVerdict,
  Finding,
  Paper,
  PaperFigure,
  PaperResult,
  PaperRun,
  PaperTable,
  Published,
  PublishedClaim,
} from './reproduction/paper.js'
export { paperFigure } from './reproduction/paper-figure.js'
export type { ReproducedPaper } from './reproduction/reproduced-paper.js'
export { type ReproductionPage, reproductionPage } from './reproduction/reproduction-page.js'
