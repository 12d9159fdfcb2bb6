import { useMemo } from 'preact/hooks'
import { hoursOfWeek } from '../../../../src/estimators/trend/hours-of-week.js'
import type { History } from '../../../../src/model/history.js'
import { WeekGrid } from '../../../charts/week-grid.js'
import { Panel } from '../../../parts/panel.js'

/** When in the week the page changes. */
export function HoursPanel({ history }: { history: History }) {
  const hours = useMemo(() => hoursOfWeek(history), [history])
  return (
    <Panel
      title="When in the week it changes"
      size="half"
      note="The stronger the colour, the more changes per hour watched."
    >
      <WeekGrid hours={hours} />
    </Panel>
  )
}
