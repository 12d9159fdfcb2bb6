import { useMemo, useState } from 'preact/hooks'
import type { Seconds } from '../../../../src/model/units.js'
import { historyIn } from '../../../api/history.js'
import { useService } from '../../../app/service.js'
import { VisitLine } from '../../../charts/visit-line.js'
import { Panel } from '../../../parts/panel.js'
import { Empty } from '../../../parts/states.js'
import { count } from '../../../parts/words.js'
import type { PageData } from '../page-data.js'
import { DemoPageTruth } from './demo-page-truth.js'
import { EstimatePanel } from './estimate-panel.js'
import { GapPanel } from './gap-panel.js'
import { HintsPanel } from './hints-panel.js'
import { HoursPanel } from './hours-panel.js'
import { NextVisit } from './next-visit.js'
import { NoisePanel } from './noise-panel.js'

/** How a page changes: its visits, the estimate and its methods, the law of gaps, hours, hints, noise. */
export function HowView({ data }: { data: PageData }) {
  const { page, visits, history: answer, why, hints } = data
  const history = useMemo(() => historyIn(answer), [answer])
  const { overview } = useService()
  const [truth, setTruth] = useState<Seconds | null>(null)
  return (
    <div class="grid">
      <NextVisit page={page} why={why} />
      <Panel title="Visits and changes" size="two-thirds">
        {visits.length === 0 ? (
          <Empty title="Not visited yet.">
            <p class="muted">The first visit comes as soon as its host may be asked.</p>
          </Empty>
        ) : (
          <>
            <VisitLine visits={visits} due={page.due.at === 'never' ? null : page.due.at} />
            {visits.length < page.visits ? (
              <p class="muted small">The newest {count(visits.length)} visits are plotted.</p>
            ) : null}
          </>
        )}
        {overview?.demo ? <DemoPageTruth url={page.url} onTruth={setTruth} /> : null}
      </Panel>
      {history === null || history.observations.length === 0 ? null : (
        <>
          <EstimatePanel history={history} truth={truth} />
          <GapPanel history={history} />
          <HoursPanel history={history} />
        </>
      )}
      <HintsPanel page={page} hints={hints} />
      <NoisePanel page={page} />
    </div>
  )
}
