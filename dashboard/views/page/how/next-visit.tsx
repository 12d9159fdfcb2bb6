import { useEffect } from 'preact/hooks'
import { humanDuration, humanPeriod } from '../../../../src/model/duration.js'
import { howOften, periodRange, rangeWords } from '../../../../src/model/estimate.js'
import { percent } from '../../../../src/model/units.js'
import type { WhyAnswer } from '../../../../src/server/pages/estimates.js'
import type { PageAnswer } from '../../../../src/server/pages/page-schema.js'
import { request } from '../../../api/request.js'
import { useService } from '../../../app/service.js'
import { useLoad } from '../../../app/use-load.js'
import { useTick } from '../../../app/use-tick.js'
import { OutcomeMark } from '../../../parts/outcome-mark.js'
import { OutsideText } from '../../../parts/outside-text.js'
import { Panel } from '../../../parts/panel.js'
import { FromNow, Moment } from '../../../parts/time.js'
import { dueWords } from '../../../parts/words.js'

/** When the page is visited next and why, and what is known of it. */
export function NextVisit({ page, why: given }: { page: PageAnswer; why: WhyAnswer | null }) {
  const { now } = useService()
  useTick(1000)
  const why = useWhy(page) ?? given
  const { at } = page.due
  const estimate = why?.estimate ?? null
  const range = estimate === null ? null : rangeWords(periodRange(estimate.bounds))
  return (
    <Panel title="Next visit" size="third">
      <p class="big">
        {dueWords(at, now())}
        {at === 'never' ? null : (
          <span class="muted small">
            {' '}
            <Moment at={at} />
          </span>
        )}
      </p>
      <p>
        <OutsideText text={page.due.reason} />
      </p>
      <dl class="facts">
        <dt>Changes</dt>
        <dd>
          {estimate === null ? humanPeriod(page.changePeriod) : howOften(estimate)}
          {range === null ? null : <span class="muted"> ({range} at 95%)</span>}
        </dd>
        {why?.posterior == null ? null : (
          <>
            <dt>Change law</dt>
            <dd>{why.posterior.law}</dd>
            <dt>Copy</dt>
            <dd>{staleWords(why.posterior.changedByNow)}</dd>
          </>
        )}
        {why?.price == null ? null : (
          <>
            <dt>Price of a request</dt>
            <dd>{humanDuration(why.price)} of freshness</dd>
          </>
        )}
        <dt>Last visit</dt>
        <dd>
          {page.lastVisit === null ? (
            'none yet'
          ) : (
            <>
              <OutcomeMark outcome={page.lastVisit.outcome} />{' '}
              <FromNow at={page.lastVisit.at} now={now()} />
              {page.lastVisit.status === null ? '' : `, status ${page.lastVisit.status}`}
            </>
          )}
        </dd>
        <dt>Last change</dt>
        <dd>
          {page.lastChange === null ? 'none seen' : <FromNow at={page.lastChange} now={now()} />}
        </dd>
        {why === null ? null : (
          <>
            <dt>Policy</dt>
            <dd title={why.policy.summary}>{why.policy.name}</dd>
            <dt>Learner</dt>
            <dd>{why.learner === null ? 'none' : why.learner.name}</dd>
          </>
        )}
        {why?.hostRestsUntil !== null && why !== null && why.hostRestsUntil > now() ? (
          <>
            <dt>Host rests</dt>
            <dd>for {humanDuration(why.hostRestsUntil - now())}</dd>
          </>
        ) : null}
      </dl>
    </Panel>
  )
}

/** Asked for again as time goes on, for a copy ages: often where the clock runs fast. */
function useWhy({ id, visits }: PageAnswer): WhyAnswer | undefined {
  const { overview } = useService()
  const turn = useTick((overview?.speed ?? 1) > 1 ? 2000 : 60_000)
  const { data, reload } = useLoad(`why ${id} ${visits}`, (signal) =>
    request('GET pages/:id/why', { params: { id }, signal }),
  )
  useEffect(() => {
    if (turn > 0) reload()
  }, [turn])
  return data
}

function staleWords(chance: number): string {
  if (chance < 0.005) return 'fresh, as good as certainly'
  return chance >= 0.995
    ? 'stale by now, as good as certainly'
    : `${percent(chance)} likely to be stale by now`
}
