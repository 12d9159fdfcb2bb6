import { humanDuration } from '../../../src/model/duration.js'
import { DAY } from '../../../src/model/units.js'
import type { OverviewAnswer } from '../../../src/server/collection/overview.js'
import type { Route } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { useTick } from '../../app/use-tick.js'
import { Failed, Loading, NoPages } from '../../parts/states.js'
import { Moment } from '../../parts/time.js'
import { about, plural } from '../../parts/words.js'
import { DemoTruth } from '../demo/demo-truth.js'
import { useDemo } from '../demo/use-demo.js'
import { ActivityPlot } from './activity-plot.js'
import { DueSoon } from './due-soon.js'
import { LiveVisits } from './live-visits.js'
import { Tiles } from './tiles.js'

/** How the collection is doing, and what each request buys. */
export function OverviewView(_: { route: Route }) {
  const { overview, error, reload } = useService()
  return (
    <>
      <div class="head">
        <h1>Overview</h1>
        {overview === undefined ? null : <Present overview={overview} />}
      </div>
      {error === undefined ? null : <Failed error={error} retry={reload} />}
      {overview === undefined ? (
        error === undefined ? (
          <Loading what="the overview" />
        ) : null
      ) : overview.health.pages === 0 ? (
        <NoPages />
      ) : (
        <Collection overview={overview} />
      )}
    </>
  )
}

/** The clock runs on between two answers: a demo's would else stand behind the visits beside it. */
function Present({ overview }: { overview: OverviewAnswer }) {
  const { now } = useService()
  useTick(500)
  const fast = overview.speed > 1 ? `, ${Math.round(overview.speed)} times as fast as life` : ''
  return (
    <span class="muted small">
      <Moment at={now()} />
      {fast}
    </span>
  )
}

function Collection({ overview }: { overview: OverviewAnswer }) {
  if (overview.demo) return <DemoCollection overview={overview} />
  return (
    <>
      <Tiles overview={overview} />
      <div class="grid">
        <Doings overview={overview} />
      </div>
    </>
  )
}

function DemoCollection({ overview }: { overview: OverviewAnswer }) {
  const loaded = useDemo()
  return (
    <>
      <DemoLead overview={overview} />
      <Tiles overview={overview} demo={loaded.data ?? null} />
      <div class="grid">
        <DemoTruth loaded={loaded} />
        <Doings overview={overview} />
      </div>
    </>
  )
}

/** What it is that one sees, for who comes to the demo first. */
function DemoLead({ overview: { health, budget, speed } }: { overview: OverviewAnswer }) {
  const requests = budget?.requestsPerDay ?? null
  return (
    <p class="demo-lead">
      A sample web of {plural(health.pages, 'page')}, a day in {humanDuration(DAY / speed)}. Revisit
      learns from its visits how often each page changes
      {requests === null
        ? ''
        : `, and spends ${about(requests)} requests a day where they keep most copies fresh`}
      . What it finds comes into the <a href="#/inbox">Inbox</a>; how it sees each page is under{' '}
      <a href="#/pages">Pages</a>.
    </p>
  )
}

function Doings({ overview }: { overview: OverviewAnswer }) {
  return (
    <>
      <ActivityPlot activity={overview.activity} />
      <LiveVisits />
      <DueSoon />
    </>
  )
}
