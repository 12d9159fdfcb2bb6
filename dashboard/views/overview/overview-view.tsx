import type { OverviewAnswer } from '../../../src/server/collection/overview.js'
import type { Route } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { Failed, Loading, NoPages } from '../../parts/states.js'
import { Moment } from '../../parts/time.js'
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

function Present({ overview }: { overview: OverviewAnswer }) {
  const fast = overview.speed > 1 ? `, ${Math.round(overview.speed)} times as fast as life` : ''
  return (
    <span class="muted small">
      <Moment at={overview.now} />
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
      <Tiles overview={overview} demo={loaded.data ?? null} />
      <div class="grid">
        <DemoTruth loaded={loaded} />
        <Doings overview={overview} />
      </div>
    </>
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
