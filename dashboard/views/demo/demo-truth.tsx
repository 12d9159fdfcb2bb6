import { useService } from '../../app/service.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { Panel } from '../../parts/panel.js'
import { count, percent } from '../../parts/words.js'
import type { DemoAnswer } from './demo-answer.js'
import { PeriodScatter } from './period-scatter.js'
import { useDemo } from './use-demo.js'

/** What only a demo can show: what is believed beside what is true. */
export function DemoTruth() {
  const loaded = useDemo()
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
            note="The demo web knows every change, so the freshness can be measured."
          >
            <FreshnessBars demo={demo} />
          </Panel>
        </>
      )}
    </LoadedView>
  )
}

function FreshnessBars({ demo }: { demo: DemoAnswer }) {
  const { overview } = useService()
  const forecast = overview?.forecast
  const predicted = forecast?.foretold ?? forecast?.freshness ?? null
  const { revisit, fixedSchedule } = demo.freshness
  const rows = [
    { name: 'Revisit, measured so far', value: revisit, tone: 'c1' },
    { name: 'Fixed schedule, as many requests', value: fixedSchedule, tone: 'c6' },
    { name: 'Revisit, fresh at this moment', value: demo.freshNow, tone: 'c3' },
    ...(predicted === null
      ? []
      : [{ name: 'Predicted, mean of a day', value: predicted, tone: 'c4' }]),
  ]
  return (
    <>
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
      <p class="muted small">
        {count(demo.visits)} visits so far.{' '}
        {demo.steady.share === null
          ? 'No steady page was due to change five times yet.'
          : `Of ${demo.steady.due} steady pages that were due to change five times, ${demo.steady.within} (${percent(demo.steady.share)}) are known within a factor of 2.`}
      </p>
    </>
  )
}
