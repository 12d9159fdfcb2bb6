import type { PageFinding } from '../../../lab/demo/demo-watch.js'
import { type LawKind, lawKinds } from '../../../lab/demo-web/change-laws.js'
import { type ScatterPoint, scatterPlot } from '../../../lab/figures/scatter-plot.js'
import { humanDuration } from '../../../model/duration.js'
import type { DemoSettings } from './options.js'
import type { Finished } from './view.js'

/**
 * What a policy makes of pages: for each page the gap to its next visit, as it
 * is planned at the end, over its true change period. Pages that fail, are gone
 * or are visited no more have none.
 */
export function demoFigure(
  { findings, summary }: Finished,
  { policy = 'auto' }: Pick<DemoSettings, 'policy'>,
): string {
  const points = findings.flatMap(plannedGap)
  const kinds = (Object.keys(lawKinds) as LawKind[]).filter((kind) =>
    points.some(({ law }) => law === kind),
  )
  return scatterPlot({
    title: `Gaps that the policy ${policy} plans`,
    subtitle: `Each page of the sample web after ${humanDuration(summary.demoSeconds)}; on the line the gap is the change period`,
    description: 'Planned gap to the next visit by true change period, a point for each page',
    x: { title: 'true change period', kind: 'duration', scale: 'log' },
    y: { title: 'gap to the next visit', kind: 'duration', scale: 'log' },
    equalLine: true,
    groups: kinds.map((kind) => ({ name: kind, points: points.filter(({ law }) => law === kind) })),
  })
}

function plannedGap({ truth, page }: PageFinding): (ScatterPoint & { law: LawKind })[] {
  const { due, lastSeen, failing, gone } = page
  if (due.at === 'never' || lastSeen === null || failing > 0 || gone > 0) return []
  const gap = due.at - lastSeen
  return gap > 0 ? [{ x: truth.changePeriod, y: gap, law: truth.law }] : []
}
