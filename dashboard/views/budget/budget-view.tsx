import { useMemo, useState } from 'preact/hooks'
import { apiError } from '../../api/api-error.js'
import { request } from '../../api/request.js'
import type { Route } from '../../app/route.js'
import { useLoad } from '../../app/use-load.js'
import { Plot } from '../../charts/plot.js'
import { logNumberTicks } from '../../charts/ticks.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Panel } from '../../parts/panel.js'
import { Empty } from '../../parts/states.js'
import { Tile } from '../../parts/tile.js'
import { about, count, percent } from '../../parts/words.js'
import { type BudgetAnswer, freshnessAt } from './budget-answer.js'

/** What a request a day is worth, on the pages that are followed here. */
export default function BudgetView(_: { route: Route }) {
  const loaded = useLoad('budget', (signal) => request<BudgetAnswer>('budget', { signal }))
  return (
    <>
      <div class="head">
        <h1>Budget</h1>
      </div>
      <LoadedView
        loaded={loaded}
        what="the budget"
        absent={
          <Empty title="This service has no budget.">
            <p>
              Each page is visited by its own policy, and no policy knows of the others. A version
              with a common budget shows its curve here.
            </p>
          </Empty>
        }
      >
        {(budget) =>
          budget.curve.length < 2 ? (
            <Empty title="There is no curve yet.">
              <p>It is drawn once some pages have been visited a few times.</p>
            </Empty>
          ) : (
            <Curve budget={budget} reload={loaded.reload} />
          )
        }
      </LoadedView>
    </>
  )
}

function Curve({ budget, reload }: { budget: BudgetAnswer; reload: () => void }) {
  const { curve } = budget
  const most = curve[curve.length - 1]!.requestsPerDay
  const least = Math.max(
    1e-3,
    curve.find(({ requestsPerDay }) => requestsPerDay > 0)!.requestsPerDay,
  )
  const [chosen, setChosen] = useState(budget.requestsPerDay ?? Math.sqrt(least * most))
  const [told, setTold] = useState('')
  const set = async () => {
    setTold('Setting …')
    try {
      await request('budget', { method: 'PUT', body: { requestsPerDay: chosen } })
      setTold('Set. Pages get their new due times as they are visited.')
      reload()
    } catch (thrown) {
      setTold(apiError(thrown).message)
    }
  }
  const steps = 1000
  const place = (value: number) =>
    Math.round((steps * Math.log(value / least)) / Math.log(most / least))
  const freshness = freshnessAt(curve, chosen) ?? 0
  const fewer = freshnessAt(curve, 0.8 * chosen) ?? 0
  const more = freshnessAt(curve, 1.2 * chosen) ?? 0
  return (
    <>
      <div class="panel budget-slider">
        <label for="budget">
          Requests a day: <span class="strong">{about(chosen)}</span>
        </label>
        <input
          id="budget"
          type="range"
          min="0"
          max={steps}
          value={place(chosen)}
          aria-valuetext={`${about(chosen)} requests a day, predicted freshness ${percent(freshness)}`}
          onInput={(event) =>
            setChosen(least * (most / least) ** (event.currentTarget.valueAsNumber / steps))
          }
        />
        <div class="row">
          <button type="button" class="first" onClick={set}>
            Use this budget
          </button>
          <span class="muted">
            {budget.requestsPerDay === null
              ? 'No budget is set.'
              : `Now ${about(budget.requestsPerDay)} a day.`}
          </span>
          <span role="status">{told}</span>
        </div>
      </div>
      <div class="tiles">
        <Tile
          name="Predicted freshness"
          value={percent(freshness, { digits: 1 })}
          note={`at ${about(chosen)} requests a day`}
        />
        <Tile
          name="20% fewer requests cost"
          value={`${(100 * (freshness - fewer)).toFixed(1)} points`}
          note={`of freshness: ${percent(fewer, { digits: 1 })}`}
        />
        <Tile
          name="20% more requests buy"
          value={`${(100 * (more - freshness)).toFixed(1)} points`}
          note={`of freshness: ${percent(more, { digits: 1 })}`}
        />
      </div>
      <div class="grid">
        <CurvePlot budget={budget} chosen={chosen} />
        <HostShares budget={budget} />
      </div>
    </>
  )
}

function CurvePlot({
  budget: { curve, requestsPerDay },
  chosen,
}: {
  budget: BudgetAnswer
  chosen: number
}) {
  const data = useMemo(() => {
    const points = [...curve.filter((each) => each.requestsPerDay > 0)]
    const mark = (at: number | null) =>
      points.map((each, i) => {
        const next = points[i + 1]?.requestsPerDay ?? Infinity
        return at !== null && each.requestsPerDay <= at && at < next ? each.freshness : null
      })
    return [
      points.map((each) => each.requestsPerDay),
      points.map(({ freshness }) => freshness),
      mark(chosen),
      mark(requestsPerDay),
    ]
  }, [curve, chosen, requestsPerDay])
  return (
    <Panel
      title="What requests buy"
      note="The curve of this collection, by what is believed of its pages."
    >
      <Plot
        label="Predicted freshness by requests a day"
        data={data}
        series={[
          { name: 'predicted freshness', colour: 'c1' },
          { name: 'chosen', colour: 'c2', marks: true },
          { name: 'in force', colour: 'c3', marks: true },
        ]}
        height={260}
        xLog
        yRange={[0, 1]}
        xTicks={logNumberTicks}
        xWords={about}
        yWords={(value) => percent(value)}
        xTitle="requests a day"
      />
    </Panel>
  )
}

function HostShares({ budget: { hosts } }: { budget: BudgetAnswer }) {
  if (hosts === undefined || hosts.length === 0) return null
  return (
    <Panel title="How it spreads over hosts">
      <div class="scrolled">
        <table>
          <thead>
            <tr>
              <th scope="col">Host</th>
              <th scope="col" class="number">
                pages
              </th>
              <th scope="col" class="number">
                requests a day
              </th>
              <th scope="col" class="number">
                predicted freshness
              </th>
            </tr>
          </thead>
          <tbody>
            {hosts.map(({ host, pages, requestsPerDay, freshness }) => (
              <tr key={host}>
                <th scope="row">
                  <OutsideText text={host} />
                </th>
                <td class="number">{count(pages)}</td>
                <td class="number">{about(requestsPerDay)}</td>
                <td class="number">{percent(freshness)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}
