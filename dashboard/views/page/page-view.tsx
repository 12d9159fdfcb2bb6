import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Seconds } from '../../../src/model/units.js'
import type { Answers } from '../../../src/server/answers.js'
import type { HintsAnswer } from '../../../src/server/collection/hints.js'
import type { WhyAnswer } from '../../../src/server/pages/estimates.js'
import type { PageAnswer } from '../../../src/server/pages/page-schema.js'
import type { HistoryAnswer } from '../../../src/server/pages/visits.js'
import { historyIn } from '../../api/history.js'
import { request } from '../../api/request.js'
import type { Route } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { useLoad } from '../../app/use-load.js'
import { VisitLine } from '../../charts/visit-line.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Panel } from '../../parts/panel.js'
import { Empty } from '../../parts/states.js'
import { count } from '../../parts/words.js'
import { DemoPageTruth } from './demo-page-truth.js'
import { EstimatePanel } from './estimate-panel.js'
import { GapPanel } from './gap-panel.js'
import { HintsPanel } from './hints-panel.js'
import { HoursPanel } from './hours-panel.js'
import { NextVisit } from './next-visit.js'
import { NoisePanel } from './noise-panel.js'
import { PageActions } from './page-actions.js'
import { VersionsPanel } from './versions-panel.js'

interface PageData {
  readonly page: PageAnswer
  readonly visits: Answers['GET pages/:id/visits']['visits']
  readonly history: HistoryAnswer
  readonly why: WhyAnswer | null
  readonly hints: HintsAnswer | null
}

const reloadEvery = 2500

/** Everything about one page. */
export default function PageView({ route }: { route: Route }) {
  const id = route.path[1]!
  const { onVisit } = useService()
  const loaded = useLoad(`page ${id}`, (signal) => read(id, signal))
  const [visited, setVisited] = useState(0)
  useEffect(() => onVisit(({ page }) => page.id === id && setVisited((n) => n + 1)), [id])
  useEffect(() => {
    if (visited === 0) return
    const timer = setTimeout(loaded.reload, reloadEvery / 4)
    return () => clearTimeout(timer)
  }, [Math.ceil(visited / 2)])
  return (
    <LoadedView
      loaded={loaded}
      what="the page"
      absent={
        <Empty title="There is no such page.">
          <p>
            It may have been removed. <a href="#/pages">All pages</a>
          </p>
        </Empty>
      }
    >
      {(data) => <PageParts data={data} reload={loaded.reload} />}
    </LoadedView>
  )
}

async function read(id: string, signal: AbortSignal): Promise<PageData> {
  const params = { id }
  const [page, { visits }, history, why, hints] = await Promise.all([
    request('GET pages/:id', { params, signal }),
    request('GET pages/:id/visits', { params, query: { newest: 2000 }, signal }),
    request('GET pages/:id/history', { params, signal }),
    request('GET pages/:id/why', { params, signal }).catch(() => null),
    request('GET pages/:id/hints', { params, signal }).catch(() => null),
  ])
  return { page, visits, history, why, hints }
}

function PageParts({ data, reload }: { data: PageData; reload: () => void }) {
  const { page, visits, history: answer, why, hints } = data
  const history = useMemo(() => historyIn(answer), [answer])
  const { overview } = useService()
  const [truth, setTruth] = useState<Seconds | null>(null)
  return (
    <>
      <div class="head">
        <h1 class="page-title">
          <OutsideText text={page.url} />
        </h1>
        <PageActions page={page} reload={reload} />
      </div>
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
              <p class="muted small">
                {count(page.visits)} visits, {count(page.changes)} found a change
                {visits.length < page.visits
                  ? `; the newest ${count(visits.length)} are plotted`
                  : ''}
                .
              </p>
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
        <VersionsPanel id={page.id} changes={page.changes} visits={page.visits} />
      </div>
    </>
  )
}
