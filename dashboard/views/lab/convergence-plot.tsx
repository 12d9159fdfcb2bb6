import { useMemo } from 'preact/hooks'
import { humanDuration } from '../../../src/model/duration.js'
import { percent, type Seconds } from '../../../src/model/units.js'
import { Plot, type PlotSeries } from '../../charts/plot.js'
import { logDurationTicks, logNumberTicks } from '../../charts/ticks.js'
import type { LabPoint } from '../../lab/lab-run.js'
import { Scrolled } from '../../parts/scrolled.js'
import { shortDuration } from '../../parts/words.js'

const tones = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6']
const dashes = [undefined, [7, 3], [2, 3], [9, 3, 2, 3]]

/** Estimates of one page's change period after each visit, beside the truth. */
export function ConvergencePlot({
  points,
  estimators,
  truth,
}: {
  points: readonly LabPoint[]
  estimators: readonly string[]
  truth: Seconds | null
}) {
  const data = useMemo(() => {
    const lines = estimators.map((name) =>
      points.map(({ estimates }) => positive(estimates.find((each) => each.estimator === name))),
    )
    return [points.map(({ visits }) => visits), points.map(() => truth), ...lines]
  }, [points, estimators, truth])
  const series: PlotSeries[] = [
    { name: 'the truth', colour: 'ink', dash: [6, 4], width: 1.5 },
    ...estimators.map((name, i) => {
      const dash = dashes[Math.floor(i / tones.length) % dashes.length]
      return { name, colour: tones[i % tones.length]!, ...(dash === undefined ? {} : { dash }) }
    }),
  ]
  const last = points[points.length - 1]
  return (
    <>
      <Plot
        label={`Estimates of the change period after each of ${last?.visits ?? 0} visits`}
        data={data}
        series={series}
        height={300}
        yLog
        xLog
        xWords={(value) => String(value)}
        yTicks={logDurationTicks}
        xTicks={logNumberTicks}
        yWords={shortDuration}
        xTitle="visits"
      />
      {last === undefined ? null : (
        <Scrolled what="Estimates at the end">
          <table>
            <thead>
              <tr>
                <th scope="col">After {last.visits} visits</th>
                <th scope="col" class="number">
                  change period
                </th>
                <th scope="col" class="number">
                  of the truth
                </th>
                <th scope="col">verdict</th>
              </tr>
            </thead>
            <tbody>
              {last.estimates.map(({ estimator, changePeriod, verdict }) => (
                <tr key={estimator}>
                  <th scope="row">{estimator}</th>
                  <td class="number">
                    {changePeriod === null ? '–' : humanDuration(changePeriod)}
                  </td>
                  <td class="number">
                    {changePeriod === null || truth === null || !(truth < Infinity)
                      ? '–'
                      : percent(changePeriod / truth)}
                  </td>
                  <td>{verdict.replaceAll('-', ' ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
    </>
  )
}

function positive(estimate: LabPoint['estimates'][number] | undefined): number | null {
  const period = estimate?.changePeriod ?? null
  return period !== null && period > 0 ? period : null
}
