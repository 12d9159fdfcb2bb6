import { useMemo } from 'preact/hooks'
import { percent } from '../../../src/model/units.js'
import type { DemoAnswer } from '../../../src/server/collection/demo.js'
import { Plot } from '../../charts/plot.js'

/** How fresh the copies of both rules really were, day by day. */
export function FreshnessDays({ days, first }: { days: DemoAnswer['byDay']; first: number }) {
  const data = useMemo(
    () => [
      days.map(({ from }) => Math.round((from - first) / 86_400) + 1),
      days.map(({ revisit }) => revisit),
      days.map(({ fixedSchedule }) => fixedSchedule),
    ],
    [days.length, days.at(-1)?.from],
  )
  if (days.length < 2)
    return <p class="muted small">A curve by the day is plotted once two days have passed.</p>
  const shares = days.flatMap(({ revisit, fixedSchedule }) => [revisit, fixedSchedule])
  const low = Math.max(0, Math.floor(10 * Math.min(...shares)) / 10)
  return (
    <Plot
      label={`Share of time in which copies were fresh, by the day, over ${days.length} days`}
      data={data}
      series={[
        { name: 'Revisit', colour: 'c1', width: 2 },
        { name: 'fixed schedule', colour: 'c6', dash: [6, 3] },
      ]}
      height={150}
      yRange={[low, 1]}
      xWords={(value) => (Number.isInteger(value) ? `day ${value}` : '')}
      yWords={(value) => percent(value)}
    />
  )
}
