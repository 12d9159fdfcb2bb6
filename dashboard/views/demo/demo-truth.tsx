import { percent } from '../../../src/model/units.js'
import type { DemoAnswer } from '../../../src/server/collection/demo.js'
import type { Loaded } from '../../app/use-load.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { Panel } from '../../parts/panel.js'
import { count, pointsAbove } from '../../parts/words.js'
import { FreshnessDays } from './freshness-days.js'
import { PeriodScatter } from './period-scatter.js'

/** What only a demo can show: what is estimated beside what is true. */
export function DemoTruth({ loaded }: { loaded: Loaded<DemoAnswer> }) {
  return (
    <LoadedView loaded={loaded} what="the truth" absent={null}>
      {(demo) => (
        <>
          <Panel
            title="True against estimated change periods"
            size="half"
            note="A mark for each page of which enough was seen to tell. On the line the estimate is exact; between the thin lines it is within a factor of 2."
          >
            <PeriodScatter pages={demo.pages} />
          </Panel>
          <Panel
            title="True freshness, and the same budget spent by a fixed schedule"
            size="half"
            note="The demo web knows every change, so the freshness of both can be measured."
          >
            <Standing demo={demo} />
            {demo.visits === 0 ? null : <FreshnessBars demo={demo} />}
            <FreshnessDays days={demo.byDay} first={demo.origin} />
            <Seen demo={demo} />
          </Panel>
        </>
      )}
    </LoadedView>
  )
}

/** Whether it is ahead, in words: a rule that has seen little is no better than any other. */
function Standing({ demo: { learning, day, freshness } }: { demo: DemoAnswer }) {
  if (learning)
    return (
      <p class="standing" role="status">
        <strong>Learning, day {count(day)}.</strong> Not yet ahead of a fixed schedule.
      </p>
    )
  const points = pointsAbove(freshness.revisit, freshness.fixedSchedule)
  return (
    <p class="standing" role="status">
      <strong>Day {count(day)}.</strong> Ahead of a fixed schedule by {points.toFixed(1)} points of
      all time so far.
    </p>
  )
}

function FreshnessBars({ demo }: { demo: DemoAnswer }) {
  const { revisit, fixedSchedule } = demo.freshness
  const last = demo.byDay.at(-1)
  const rows = [
    { name: 'Revisit, all time so far', value: revisit, tone: 'c1' },
    { name: 'Fixed schedule, as many requests', value: fixedSchedule, tone: 'c6' },
    ...(last === undefined
      ? []
      : [{ name: 'Revisit, the last full day', value: last.revisit, tone: 'c3' }]),
    ...(demo.predicted === null || demo.learning
      ? []
      : [
          { name: 'Predicted from visits alone', value: demo.predicted.share, tone: 'c4' },
          { name: 'Measured at the same moments', value: demo.predicted.measured, tone: 'c2' },
        ]),
  ]
  return (
    <table class="bars">
      <tbody>
        {rows.map(({ name, value, tone }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="bar-cell">
              <svg width="100%" height="14" aria-hidden="true">
                <rect width="100%" height="14" rx="3" class="bar-rest" />
                <rect
                  width={percent(value, { digits: 2 })}
                  height="14"
                  rx="3"
                  class={`fill-${tone}`}
                />
              </svg>
            </td>
            <td class="number strong">{percent(value, { digits: 1 })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Seen({ demo: { visits, steady } }: { demo: DemoAnswer }) {
  return (
    <p class="muted small">
      {count(visits)} visits so far.{' '}
      {steady.share === null
        ? 'No steady page was due to change five times yet.'
        : `Of ${steady.due} steady pages that were due to change five times, ${steady.within} (${percent(steady.share)}) are known within a factor of 2.`}
    </p>
  )
}
