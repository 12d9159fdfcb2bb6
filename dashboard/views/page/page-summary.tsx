import { useEffect } from 'preact/hooks'
import { humanDuration, humanPeriod } from '../../../src/model/duration.js'
import { howOften, periodRange, rangeWords } from '../../../src/model/estimate.js'
import type { UnixSeconds } from '../../../src/model/units.js'
import { isTooFast } from '../../../src/planner/price-reason.js'
import type { WhyAnswer } from '../../../src/server/pages/estimates.js'
import type { PageAnswer } from '../../../src/server/pages/page-schema.js'
import { request } from '../../api/request.js'
import { linkTo } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { useLoad } from '../../app/use-load.js'
import { useTick } from '../../app/use-tick.js'
import { OutcomeMark } from '../../parts/outcome-mark.js'
import { OutsideLink, OutsideText } from '../../parts/outside-text.js'
import { Panel } from '../../parts/panel.js'
import { bothMoments, FromNow } from '../../parts/time.js'
import { count, dueWords, plural } from '../../parts/words.js'

/** Until when a page that is due waits for its host, as after a failure of the host; null where it does not. */
function useHostRest({ host }: PageAnswer, isDue: boolean): UnixSeconds | null {
  const { now } = useService()
  const { data, reload } = useLoad(`rest of ${host} ${isDue}`, async (signal) =>
    isDue ? request('GET hosts/:host', { params: { host }, signal }) : null,
  )
  useEffect(() => {
    if (!isDue) return
    const timer = setInterval(reload, 10_000)
    return () => clearInterval(timer)
  }, [isDue, reload])
  const until = data?.blockedUntil ?? null
  return isDue && until !== null && until > now() + 1 ? until : null
}

/** How often it changes, when it was visited and when it is visited next: one answer to each. */
export function PageSummary({ page, why }: { page: PageAnswer; why: WhyAnswer | null }) {
  const { now } = useService()
  useTick(1000)
  const estimate = why?.estimate ?? null
  const range = estimate === null ? null : rangeWords(periodRange(estimate.bounds))
  const { at, reason } = page.due
  const rest = useHostRest(page, at !== 'never' && at <= now())
  return (
    <Panel title="In short">
      <dl class="facts">
        <dt>Changes</dt>
        <dd>
          {estimate === null ? humanPeriod(page.changePeriod) : howOften(estimate)}
          {range === null ? null : <span class="muted"> ({range} at 95%)</span>}{' '}
          <a href={linkTo(['pages', page.id, 'how'])}>How it changes</a>
        </dd>
        <dt>Last change</dt>
        <dd>
          {page.lastChange === null ? 'none seen' : <FromNow at={page.lastChange} now={now()} />}
        </dd>
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
        <dt>Next visit</dt>
        <dd>
          <span title={at === 'never' ? undefined : bothMoments(at)}>{dueWords(at, now())}</span>
          <div class="muted small">
            <OutsideText text={reason} />
            {rest === null ? null : `. Its host rests for ${humanDuration(rest - now())} more`}
            {isTooFast(page, now()) ? (
              <>
                .{' '}
                <a href={linkTo(['pages', page.id, 'settings'])}>
                  Set how long it may be left at most
                </a>
              </>
            ) : null}
          </div>
        </dd>
        {page.movedTo === null ? null : (
          <>
            <dt>Moved to</dt>
            <dd>
              <OutsideLink url={page.movedTo} />
            </dd>
          </>
        )}
        <dt>Visits</dt>
        <dd>
          {plural(page.visits, 'visit')}, {count(page.changes)} found a change
        </dd>
      </dl>
    </Panel>
  )
}
