import { useEffect, useState } from 'preact/hooks'
import { percent } from '../../../src/model/units.js'
import type { BudgetAnswer } from '../../../src/server/collection/budget.js'
import type { Route } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Empty, Failed, Loading, NoPages } from '../../parts/states.js'
import { Tile } from '../../parts/tile.js'
import { about, count, plural, pointsAbove } from '../../parts/words.js'
import { DueSoon } from '../overview/due-soon.js'
import { BudgetSlider } from './budget-slider.js'
import { freshnessAt, spentAt } from './curve.js'
import { CurvePlot } from './curve-plot.js'
import { HostShares } from './host-shares.js'
import { type BudgetState, useBudget } from './use-budget.js'

/** What a request a day buys, on the pages that are followed here. */
export default function BudgetView(_: { route: Route }) {
  const state = useBudget()
  return (
    <>
      <div class="head">
        <h1>Budget</h1>
      </div>
      <LoadedView
        loaded={state.loaded}
        what="the budget"
        absent={
          <Empty title="This service has no budget.">
            <p>Each page is visited by its own policy, and no policy knows of the others.</p>
          </Empty>
        }
      >
        {(budget) =>
          budget.curve.length < 2 ? (
            <NoCurve budget={budget} reload={state.loaded.reload} />
          ) : (
            <Curve {...{ budget, state }} />
          )
        }
      </LoadedView>
    </>
  )
}

function NoCurve({
  budget: { pages, ownPolicies, promises },
  reload,
}: {
  budget: BudgetAnswer
  reload: () => void
}) {
  if (pages === 0) return <NothingPlanned reload={reload} />
  return (
    <Empty title="No budget moves these pages.">
      <p>
        {ownPolicies === pages
          ? 'All of them follow policies of their own, which ask for the visits that they want.'
          : 'Limits and policies of their own set all visits.'}
      </p>
      {promises?.warning == null ? null : (
        <p>
          <OutsideText text={promises.warning} />
        </p>
      )}
    </Empty>
  )
}

/** After how many milliseconds a budget of no pages is asked for anew: at first, and after some tries. */
const tryEvery = 2000
const tryLater = 15_000
const firstTries = 5

/** A budget of no pages: there are none, none is watched any more, or it was worked out before the first were added. */
function NothingPlanned({ reload }: { reload: () => void }) {
  const { overview, error, reload: askAgain } = useService()
  const [tries, setTries] = useState(0)
  const isOld = overview?.health.oldestDue != null
  const every = tries < firstTries ? tryEvery : tryLater
  useEffect(() => {
    if (!isOld) return
    const timer = setInterval(() => {
      setTries((before) => before + 1)
      reload()
    }, every)
    return () => clearInterval(timer)
  }, [isOld, every])
  if (overview === undefined)
    return error === undefined ? (
      <Loading what="the budget" />
    ) : (
      <Failed error={error} retry={askAgain} />
    )
  if (isOld && tries < firstTries)
    return <Loading what="the budget for the pages that were just added" />
  if (isOld)
    return (
      <Empty title="The budget is not worked out yet.">
        <p>It comes here by itself once all pages have been read.</p>
      </Empty>
    )
  const { pages } = overview.health
  if (pages === 0) return <NoPages />
  return (
    <Empty title="No page is watched any more.">
      <p>
        {plural(pages, 'page is', 'pages are')} kept with what was seen of{' '}
        {pages === 1 ? 'it' : 'them'}. <a href="#/pages">See the pages</a>: “Visit now” in the view
        of one has it watched again.
      </p>
    </Empty>
  )
}

function Curve({ budget, state }: { budget: BudgetAnswer; state: BudgetState }) {
  const [chosen, setChosen] = useState(startOf(budget))
  useEffect(() => setChosen(startOf(budget)), [budget.requestsPerDay])
  return (
    <>
      {budget.promises?.warning == null ? null : (
        <p role="note" class="panel">
          <OutsideText text={`${budget.promises.warning}.`} />
        </p>
      )}
      <BudgetSlider {...{ budget, state, chosen, setChosen }} />
      <Tiles budget={budget} chosen={chosen} />
      <div class="grid">
        <CurvePlot budget={budget} chosen={chosen} />
        <HostShares budget={budget} />
        <DueSoon />
      </div>
      <p class="muted small turn">{basis(budget)}</p>
    </>
  )
}

/** Where there is no budget the slider begins in the middle of the curve. */
function startOf({ requestsPerDay, curve }: BudgetAnswer): number {
  const [low, high] = [curve[0]!.requestsPerDay, curve[curve.length - 1]!.requestsPerDay]
  return requestsPerDay ?? Math.sqrt(Math.max(1e-3, low) * high)
}

function Tiles({ budget, chosen }: { budget: BudgetAnswer; chosen: number }) {
  const at = (requests: number) => freshnessAt(budget.curve, spentAt(budget, requests)) ?? 0
  const [freshness, fewer, more] = [at(chosen), at(0.8 * chosen), at(1.2 * chosen)]
  const spent = spentAt(budget, chosen)
  const guaranteed = budget.promises?.requestsPerDay ?? 0
  const forGuarantees = guaranteed > 0 ? `, ${about(guaranteed)} of them for pages' own limits` : ''
  return (
    <div class="tiles">
      <Tile
        name="Predicted freshness"
        value={percent(freshness, { digits: 1 })}
        note={`share of the time in which a copy is fresh, in the long run at ${about(spent)} requests a day`}
      />
      <Tile
        name="20% fewer requests cost"
        {...moved(budget, { from: fewer, to: freshness, freshness: fewer, at: 0.8 * chosen })}
      />
      <Tile
        name="20% more requests buy"
        {...moved(budget, { from: freshness, to: more, freshness: more, at: 1.2 * chosen })}
      />
      <Tile
        name="Requests a page and day"
        value={about(spent / Math.max(1, budget.pages))}
        note={`${about(spent)} a day on ${plural(budget.pages, 'page')}${forGuarantees}`}
      />
    </div>
  )
}

/** What a fifth more or fewer does; where that is nothing, limits on gaps set the visits. */
function moved(
  budget: BudgetAnswer,
  { from, to, freshness, at }: { from: number; to: number; freshness: number; at: number },
): { value: string; note: string } {
  const requests = `${about(spentAt(budget, at))} requests a day`
  const points = Math.max(0, pointsAbove(to, from)).toFixed(1)
  return to - from < 5e-4
    ? { value: 'nothing', note: `limits on gaps set the visits, also at ${requests}` }
    : { value: `${points} points`, note: `${percent(freshness, { digits: 1 })} at ${requests}` }
}

function basis({ pages, sampled, unseen, withoutContent, ownPolicies }: BudgetAnswer): string {
  const sample = sampled < pages ? ` Worked out on an even sample of ${count(sampled)} pages.` : ''
  const fresh =
    unseen > 0 ? ` ${plural(unseen, 'page')} not visited yet: predicted as others are.` : ''
  const empty =
    withoutContent > 0
      ? ` ${plural(withoutContent, 'page')} gone or failed at every visit so far: predicted as others are.`
      : ''
  const own =
    ownPolicies > 0
      ? ` ${plural(ownPolicies, 'page')} with policies of their own, which no budget moves.`
      : ''
  return `Predicted from what is known of each page now, on the mean of a week.${sample}${fresh}${empty}${own}`
}
