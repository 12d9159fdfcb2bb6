import { humanMoment } from '../../../src/model/duration.js'
import { DAY, percent, type Seconds } from '../../../src/model/units.js'
import type { DemoAnswer } from '../../../src/server/collection/demo.js'
import type { OverviewAnswer } from '../../../src/server/collection/overview.js'
import { Tile } from '../../parts/tile.js'
import { about, count, plural } from '../../parts/words.js'
import { DemoTiles } from '../demo/demo-tiles.js'

/** The numbers that say how well the budget is spent. */
export function Tiles({
  overview,
  demo,
}: {
  overview: OverviewAnswer
  /** What only the demo knows; null while it is on its way. */
  demo?: DemoAnswer | null
}) {
  const { health, loop, activity, now } = overview
  const hours = Math.round((activity.visits.length * activity.bucket) / 3600)
  const sum = (counts: readonly number[]) => counts.reduce((all, each) => all + each, 0)
  const lastDay = Math.round(86_400 / activity.bucket)
  const dayVisits = sum(activity.visits.slice(-lastDay))
  return (
    <div class="tiles">
      {demo === undefined ? (
        <>
          <FreshTile overview={overview} />
          {watchedFor(overview) < DAY ? null : <FixedTile overview={overview} />}
        </>
      ) : (
        <DemoTiles demo={demo} />
      )}
      <RequestsTile overview={overview} requests={dayVisits} />
      <Tile
        name={`Changes found in ${hours >= 48 ? `${Math.round(hours / 24)} days` : `${hours} hours`}`}
        value={about(sum(activity.changes))}
        note={`${about(sum(activity.visits))} visits, ${about(sum(activity.failures))} of them failed or refused`}
      />
      <Tile
        name="Due now"
        value={count(health.dueNow)}
        note={
          loop === null || !loop.running
            ? 'nothing visits them: no crawler runs here'
            : `${plural(health.inFlight, 'visit')} under way${dueWords(health.oldestDue, now)}`
        }
      />
      <Tile name="Pages" value={count(health.pages)} note={`on ${plural(health.hosts, 'host')}`} />
    </div>
  )
}

function dueWords(oldestDue: number | null, now: number): string {
  if (oldestDue === null || oldestDue <= now) return ''
  return `, next ${humanMoment(oldestDue, now)}`
}

/** How long there have been visits: copies of the first hours are fresh by themselves. */
function watchedFor({ activity: { since }, now }: OverviewAnswer): Seconds {
  return since === null ? 0 : now - since
}

/** What was spent of what may be. */
function RequestsTile({
  overview: { budget, forecast },
  requests,
}: {
  overview: OverviewAnswer
  requests: number
}) {
  const allowed = budget?.requestsPerDay ?? null
  const planned =
    forecast === null
      ? 'no forecast yet'
      : `${about(forecast.requestsPerDay)} a day by the schedule`
  if (allowed === null || allowed <= 0)
    return <Tile name="Requests in 24 hours" value={about(requests)} note={planned} />
  return (
    <Tile
      name="Requests in 24 hours"
      value={about(requests)}
      note={
        <>
          {percent(requests / allowed)} of the <a href="#/budget">budget</a> of {about(allowed)};{' '}
          {planned}
        </>
      }
    />
  )
}

function FreshTile({ overview }: { overview: OverviewAnswer }) {
  const { forecast, budget } = overview
  if (forecast === null || forecast.freshness === null)
    return (
      <Tile
        name="Fresh copies, predicted"
        value="–"
        note="known once pages have been visited a few times"
      />
    )
  const unknown = forecast.pagesUnknown
  const notKnown = unknown > 0 ? `; ${plural(unknown, 'page')} not known yet` : ''
  // Of the last day: in the long run is under Budget.
  if (forecast.predicted !== null)
    return (
      <Tile
        name="Fresh copies, predicted"
        value={percent(forecast.predicted)}
        note={`mean of about a day, or since the service was started${notKnown}`}
      />
    )
  const error = 2 * (forecast.freshnessError ?? 0)
  return (
    <Tile
      name="Predicted freshness"
      value={percent(budget?.predicted ?? forecast.freshness)}
      note={`give or take ${percent(error, { digits: error < 0.01 ? 1 : 0 })}${notKnown}`}
    />
  )
}

/**
 * By the default's posteriors the two are compared in freshness, by as many
 * visits: its schedule follows the rhythm of pages, and how many requests
 * such visits save is not given by a formula for visits that do not.
 */
function FixedTile({ overview: { forecast } }: { overview: OverviewAnswer }) {
  const reached = forecast?.predicted == null ? null : forecast.fixedFreshness
  if (reached !== null)
    return (
      <Tile
        name="A fixed schedule would reach"
        value={percent(reached)}
        note="with as many visits and the same gap for all"
      />
    )
  const fixed = forecast?.fixedRequestsPerDay ?? null
  if (forecast === null || fixed === null || fixed <= 0)
    return <Tile name="Saved against a fixed schedule" value="–" note="needs a forecast" />
  const saved = 1 - forecast.requestsPerDay / fixed
  return (
    <Tile
      name={saved >= 0 ? 'Saved against a fixed schedule' : 'More than a fixed schedule'}
      value={percent(Math.abs(saved))}
      note={`the same gap for all needs ${about(fixed)} a day for equal freshness`}
    />
  )
}
