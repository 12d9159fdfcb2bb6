import { useMemo, useState } from 'preact/hooks'
import { howOften, periodRange, rangeWords, shownEstimate } from '../../../../src/model/estimate.js'
import type { History } from '../../../../src/model/history.js'
import type { Seconds } from '../../../../src/model/units.js'
import { rateEstimator, rateEstimators } from '../../../../src/planner/registry.js'
import { Plot, type PlotSeries } from '../../../charts/plot.js'
import { logDurationTicks, wholeTicks } from '../../../charts/ticks.js'
import { Field } from '../../../parts/field.js'
import { Panel } from '../../../parts/panel.js'
import { Empty } from '../../../parts/states.js'
import { shortDuration } from '../../../parts/words.js'
import { type SharpPoint, sharpening } from './sharpening.js'
import { verdictWords } from './verdict-words.js'

/** What each method makes of the history, with bounds, as it sharpened; computed here. */
export function EstimatePanel({ history, truth }: { history: History; truth: Seconds | null }) {
  const [method, setMethod] = useState('irregular-mle')
  const estimator = rateEstimator(method)
  const points = useMemo(() => sharpening(history, estimator), [history, method])
  const estimate = useMemo(() => shownEstimate(estimator.estimate(history)), [history, method])
  const range = rangeWords(periodRange(estimate.bounds))
  return (
    <Panel
      title="Methods compared"
      size="half"
      note="What single methods make of the recorded visits alone, as they sharpened. Visits follow the estimate under Next visit."
    >
      <div class="row align-end">
        <Field name="Method">
          <select value={method} onChange={(event) => setMethod(event.currentTarget.value)}>
            {rateEstimators.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <p class="estimate-words">
          By {method}: <span class="strong">{howOften(estimate)}</span>
          {range === null ? '' : `, ${range} at 95%`}
          {estimate.verdict === 'ok' ? '' : `; ${verdictWords[estimate.verdict]}`}
        </p>
      </div>
      {points.every(({ period, shortest, longest }) => (period ?? shortest ?? longest) === null) ? (
        <Empty title="This method has no number for this page.">
          <p class="muted">{verdictWords[estimate.verdict]}</p>
        </Empty>
      ) : (
        <SharpPlot points={points} truth={truth} />
      )}
    </Panel>
  )
}

function SharpPlot({ points, truth }: { points: readonly SharpPoint[]; truth: Seconds | null }) {
  const data = useMemo(() => {
    // An open bound runs to the edge of the picture.
    const all = points.flatMap(({ period, shortest, longest }) =>
      [period, shortest, longest].filter((each): each is number => each !== null && each > 0),
    )
    const [low, high] = [Math.min(...all) / 1.5, Math.max(...all) * 1.5]
    return [
      points.map(({ visits }) => visits),
      points.map(({ longest }) => longest ?? high),
      points.map(({ shortest }) => shortest ?? low),
      points.map(({ period }) => period),
      ...(truth === null ? [] : [points.map(() => truth)]),
    ]
  }, [points, truth])
  const series: PlotSeries[] = [
    { name: 'upper bound', colour: 'c1', width: 1, bandTo: 2, hidden: true },
    { name: 'lower bound', colour: 'c1', width: 1, hidden: true },
    { name: 'estimated change period, with its 95% bounds', colour: 'c1' },
    ...(truth === null
      ? []
      : [{ name: 'the truth', colour: 'ink', dash: [6, 4], width: 1.5 } satisfies PlotSeries]),
  ]
  const last = points[points.length - 1]!
  return (
    <Plot
      label={`Estimated change period after each of ${last.visits} visits, with 95% bounds`}
      data={data}
      series={series}
      height={230}
      yLog
      xTicks={wholeTicks}
      xWords={String}
      yTicks={logDurationTicks}
      yWords={shortDuration}
      xTitle="visits"
    />
  )
}
