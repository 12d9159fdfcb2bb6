import { useMemo } from 'preact/hooks'
import type { ActivityAnswer } from '../../../src/server/collection/overview.js'
import { Plot } from '../../charts/plot.js'
import { timeTicks } from '../../charts/ticks.js'
import { Panel } from '../../parts/panel.js'
import { Empty } from '../../parts/states.js'
import { about, shortTime } from '../../parts/words.js'

/** Visits and changes hour by hour. */
export function ActivityPlot({ activity }: { activity: ActivityAnswer }) {
  const { from, bucket, visits, changes, failures } = begun(activity)
  const key = JSON.stringify(activity)
  const data = useMemo(
    () => [
      [...visits, 0].map((_, i) => from + i * bucket),
      ...[visits, changes, failures].map(toTheEnd),
    ],
    [key],
  )
  const span = visits.length * bucket
  const total = visits.reduce((all, each) => all + each, 0)
  return (
    <Panel title="Visits and changes by the hour" size="two-thirds">
      {total === 0 ? (
        <Empty title="No visit in this time." />
      ) : (
        <Plot
          label={`Visits and changes by the hour, ${total} visits in all`}
          data={data}
          series={[
            { name: 'visits', colour: 'c1', steps: true },
            { name: 'changes found', colour: 'c2', steps: true },
            { name: 'failed or refused', colour: 'c5', steps: true, dash: [4, 3] },
          ]}
          height={300}
          xTicks={timeTicks}
          xWords={(value) => shortTime(value, { span })}
          yWords={about}
        />
      )}
    </Panel>
  )
}

/** A step is as wide as to the next value: without one the last hour would have no width. */
function toTheEnd(counts: readonly number[]): number[] {
  return [...counts, ...counts.slice(-1)]
}

const atLeast = 24

/** Without the time before the first visit, but a day at least. */
function begun(activity: ActivityAnswer): ActivityAnswer {
  const first = activity.visits.findIndex((each) => each > 0)
  const skip = Math.max(0, Math.min(first, activity.visits.length - atLeast))
  return {
    ...activity,
    from: activity.from + skip * activity.bucket,
    visits: activity.visits.slice(skip),
    changes: activity.changes.slice(skip),
    failures: activity.failures.slice(skip),
  }
}
