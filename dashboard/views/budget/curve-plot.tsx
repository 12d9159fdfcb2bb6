import { useMemo } from 'preact/hooks'
import { percent } from '../../../src/model/units.js'
import type { BudgetAnswer } from '../../../src/server/collection/budget.js'
import { Plot, type PlotSeries } from '../../charts/plot.js'
import { logNumberTicks } from '../../charts/ticks.js'
import { Panel } from '../../parts/panel.js'
import { about } from '../../parts/words.js'
import { freshnessAt, spentAt } from './curve.js'

/** Predicted freshness by requests a day, with the budget in force and the one chosen. */
export function CurvePlot({ budget, chosen: asked }: { budget: BudgetAnswer; chosen: number }) {
  const { curve } = budget
  const requestsPerDay =
    budget.requestsPerDay === null ? null : spentAt(budget, budget.requestsPerDay)
  const chosen = spentAt(budget, asked)
  const data = useMemo(() => {
    const marks = [chosen, ...(requestsPerDay === null ? [] : [requestsPerDay])]
    const all = [...curve.map((point) => point.requestsPerDay), ...marks]
    const xs = [...new Set(all.filter((each) => each > 0))].sort((a, b) => a - b)
    const ys = xs.map((x) => freshnessAt(curve, x) ?? null)
    const mark = (at: number | null) => xs.map((x, i) => (x === at ? ys[i]! : null))
    return [
      xs,
      ys,
      ...(requestsPerDay === null ? [] : [mark(requestsPerDay)]),
      ...(chosen === requestsPerDay ? [] : [mark(chosen)]),
    ]
  }, [curve, chosen, requestsPerDay])
  // The legend names what is there.
  const series: PlotSeries[] = [
    { name: 'predicted freshness', colour: 'c1' },
    ...(requestsPerDay === null ? [] : [{ name: 'in force', colour: 'c3', marks: true }]),
    ...(chosen === requestsPerDay ? [] : [{ name: 'chosen', colour: 'c2', marks: true }]),
  ]
  return (
    <Panel
      title="What requests buy"
      size="half"
      note="The curve of this collection, by what is known of its pages."
    >
      <Plot
        label="Predicted freshness by requests a day"
        data={data}
        series={series}
        height={280}
        xLog
        yRange={[0, 1]}
        xTicks={logNumberTicks}
        xWords={about}
        yWords={(value) => percent(value)}
        xTitle="requests a day"
      />
    </Panel>
  )
}
