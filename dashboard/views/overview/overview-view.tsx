import type { OverviewAnswer } from '../../api/answers.js'
import type { Route } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { Empty, Failed, Loading } from '../../parts/states.js'
import { moment } from '../../parts/words.js'
import { DemoTruth } from '../demo/demo-truth.js'
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
        {overview === undefined ? null : <Moment overview={overview} />}
      </div>
      {error === undefined ? null : <Failed error={error} retry={reload} />}
      {overview === undefined ? (
        error === undefined ? (
          <Loading what="the overview" />
        ) : null
      ) : overview.health.pages === 0 ? (
        <Empty title="No page is followed yet.">
          <p>
            <a href="#/pages?add=1">Add the first one</a>, by its address. It is visited at once,
            and again when a visit is worth its request.
          </p>
        </Empty>
      ) : (
        <Collection overview={overview} />
      )}
    </>
  )
}

function Moment({ overview }: { overview: OverviewAnswer }) {
  const fast = overview.speed > 1 ? `, ${Math.round(overview.speed)} times as fast as life` : ''
  return (
    <span class="muted small">
      {moment(overview.now)} UTC{fast}
    </span>
  )
}

function Collection({ overview }: { overview: OverviewAnswer }) {
  return (
    <>
      <Tiles overview={overview} />
      <div class="grid">
        {overview.demo ? <DemoTruth /> : null}
        <ActivityPlot activity={overview.activity} />
        <LiveVisits />
        <DueSoon />
      </div>
    </>
  )
}
