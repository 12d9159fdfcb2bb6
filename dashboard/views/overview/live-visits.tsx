import { useEffect, useRef, useState } from 'preact/hooks'
import type { LoggedVisitAnswer } from '../../../src/server/pages/visits.js'
import { request } from '../../api/request.js'
import { linkTo } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { OutcomeMark } from '../../parts/outcome-mark.js'
import { Address } from '../../parts/page-name.js'
import { Panel } from '../../parts/panel.js'
import { bothMoments } from '../../parts/time.js'
import { moment } from '../../parts/words.js'

const most = 12
/** Faster than that nobody can read. */
const redrawEvery = 500

/** Visits as they are made. */
export function LiveVisits() {
  const { onVisit } = useService()
  const [visits, setVisits] = useState<readonly LoggedVisitAnswer[]>([])
  const [paused, setPaused] = useState(false)
  const waiting = useRef<LoggedVisitAnswer[]>([])
  useEffect(() => {
    const end = new AbortController()
    request('GET visits', {
      query: { order: 'newest', limit: most },
      signal: end.signal,
    }).then(
      ({ visits: found }) => setVisits((before) => (before.length > 0 ? before : inOrder(found))),
      () => {},
    )
    return () => end.abort()
  }, [])
  useEffect(() => {
    if (paused) return
    const forget = onVisit((visit) => {
      waiting.current.push(visit)
      if (waiting.current.length > most) waiting.current.shift()
    })
    const timer = setInterval(() => {
      if (waiting.current.length === 0) return
      const fresh = waiting.current
      waiting.current = []
      setVisits((before) => inOrder([...fresh, ...before]).slice(0, most))
    }, redrawEvery)
    return () => {
      forget()
      clearInterval(timer)
    }
  }, [paused])
  return (
    <Panel title="Live" size="third">
      <div class="row live-head">
        <button type="button" aria-pressed={paused} onClick={() => setPaused(!paused)}>
          {paused ? 'Go on' : 'Pause'}
        </button>
      </div>
      {visits.length === 0 ? (
        <p class="muted">Waiting for the next visit …</p>
      ) : (
        <ol class="live">
          {visits.map(({ number, at, outcome, page }) => (
            <li key={number} class="arrives">
              <span class="muted nowrap" title={bothMoments(at)}>
                {moment(at).slice(11, 16)}
              </span>
              <OutcomeMark outcome={outcome} />
              <a href={linkTo(['pages', page.id])} class="cut">
                <Address url={page.url} />
              </a>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

/** The newest first by when they were made: visits that take long are logged after others that began later. */
function inOrder(visits: readonly LoggedVisitAnswer[]): LoggedVisitAnswer[] {
  return [...visits].sort((a, b) => b.at - a.at || b.number - a.number)
}
