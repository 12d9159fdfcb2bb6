import { useMemo } from 'preact/hooks'
import { concaveLaw } from '../../../src/estimators/law/concave-law.js'
import { m2 } from '../../../src/estimators/law/m1-m2.js'
import { m6 } from '../../../src/estimators/law/m6.js'
import { irregularMle } from '../../../src/estimators/rate/irregular-mle.js'
import { type History, splitUnchanged } from '../../../src/model/history.js'
import { Plot } from '../../charts/plot.js'
import { durationTicks } from '../../charts/ticks.js'
import { Panel } from '../../parts/panel.js'
import { Empty } from '../../parts/states.js'
import { percent, shortDuration } from '../../parts/words.js'

const enoughDated = 10
/** The estimators of laws use all pairs of visits; more than that would be felt. */
const most = 1500

/** How long the page stays unchanged: the law of the gaps between its changes. */
export function GapPanel({ history }: { history: History }) {
  const law = useMemo(() => lawOf(history), [history])
  return (
    <Panel
      title="How long it stays unchanged"
      size="half"
      note="The share of times between two changes that are at most so long."
    >
      {law === null ? (
        <Empty title="Not known yet.">
          <p class="muted">
            It takes visits that found a change and visits that found none, some tens of each.
          </p>
        </Empty>
      ) : (
        <Plot
          label={`Share of gaps between changes by length, by ${law.method}`}
          data={law.data}
          series={[
            { name: `this page, by ${law.method}`, colour: 'c1' },
            { name: 'without memory, by irregular-mle', colour: 'c6', dash: [4, 3] },
          ]}
          height={230}
          yRange={[0, 1]}
          xTicks={durationTicks}
          xWords={shortDuration}
          yWords={(value) => percent(value)}
          xTitle="time from one change to the next"
        />
      )}
    </Panel>
  )
}

function lawOf(whole: History): { method: string; data: (number | null)[][] } | null {
  const history = splitUnchanged({ ...whole, observations: whole.observations.slice(-most) })
  const changes = history.observations.filter(({ changed }) => changed).length
  if (changes < 3 || changes === history.observations.length) return null
  const method = oftenDated(history) ? m2 : m6
  const law = concaveLaw(method.estimate(history))
  if (law.kind === 'none') return null
  const { changeRate } = irregularMle.estimate(history)
  const x = Array.from(law.x)
  const memoryless = x.map((at) => (changeRate === null ? null : -Math.expm1(-changeRate * at)))
  return { method: method.name, data: [x, Array.from(law.cdf), memoryless] }
}

/** M2 where the server dates half of its answers and more, else M6: right at any gaps. */
function oftenDated({ start, observations }: History): boolean {
  const dated = observations.filter(({ contentAge }) => contentAge !== undefined).length
  const all = dated + (start.contentAge === undefined ? 0 : 1)
  return all >= enoughDated && 2 * all >= observations.length
}
