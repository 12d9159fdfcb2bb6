import { useMemo } from 'preact/hooks'
import { pageLaw } from '../../../../src/estimators/law/page-law.js'
import { irregularMle } from '../../../../src/estimators/rate/irregular-mle.js'
import { type History, splitUnchanged } from '../../../../src/model/history.js'
import { percent } from '../../../../src/model/units.js'
import { Plot } from '../../../charts/plot.js'
import { durationTicks } from '../../../charts/ticks.js'
import { Panel } from '../../../parts/panel.js'
import { Empty } from '../../../parts/states.js'
import { shortDuration } from '../../../parts/words.js'

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
      {law.kind === 'none' ? (
        <Empty title={law.title}>
          <p class="muted">{law.why}</p>
          {law.known === null ? null : <KnownAges known={law.known} />}
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

/** Shares of the age distribution where it is known although the law of gaps is not. */
interface Known {
  readonly method: string
  readonly points: readonly { readonly time: number; readonly share: number }[]
}

type Shown =
  | { kind: 'law'; method: string; data: (number | null)[][] }
  | { kind: 'none'; title: string; why: string; known: Known | null }

const notYet: Shown = {
  kind: 'none',
  title: 'Not known yet.',
  why: 'It takes visits that found a change and visits that found none, some tens of each.',
  known: null,
}

const mostKnown = 6

/** What the visits tell all the same: how old the content is at the multiples of the gap. */
function KnownAges({ known }: { known: Known }) {
  return (
    <p class="muted">
      Known by {known.method}, as the share of time for which the content is at most so old:{' '}
      {known.points.map(({ time, share }) => `${shortDuration(time)} ${percent(share)}`).join(', ')}
      .
    </p>
  )
}

function lawOf(whole: History): Shown {
  const history = splitUnchanged({ ...whole, observations: whole.observations.slice(-most) })
  const changes = history.observations.filter(({ changed }) => changed).length
  if (changes < 3 || changes === history.observations.length) return notYet
  const { method, contentAges, updateGaps: law, identifiable } = pageLaw(history)
  if (law.kind === 'none' && law.why === 'not-identifiable' && contentAges.kind === 'curve') {
    const { x, cdf } = contentAges.curve
    const points = Array.from(x.slice(0, mostKnown), (time, i) => ({ time, share: cdf[i]! }))
    const why =
      identifiable.kind === 'identifiable'
        ? ''
        : `How long it stays unchanged is ${identifiable.words}.`
    return {
      kind: 'none',
      title: 'The visits cannot tell.',
      why,
      known: { method: method.name, points },
    }
  }
  if (law.kind === 'none') return notYet
  const { changeRate } = irregularMle.estimate(history)
  const x = Array.from(law.x)
  const memoryless = x.map((at) => (changeRate === null ? null : -Math.expm1(-changeRate * at)))
  return { kind: 'law', method: method.name, data: [x, Array.from(law.cdf), memoryless] }
}
