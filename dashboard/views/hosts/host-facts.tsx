import { useState } from 'preact/hooks'
import { humanDuration } from '../../../src/model/duration.js'
import type { UnixSeconds } from '../../../src/model/units.js'
import type { HostAnswer } from '../../../src/server/collection/hosts.js'
import { request } from '../../api/request.js'
import { useService } from '../../app/service.js'
import { useLoad } from '../../app/use-load.js'
import { hintNames } from '../../parts/hint-names.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { OutsideText } from '../../parts/outside-text.js'
import { FromNow } from '../../parts/time.js'
import { count, dueWords, plural } from '../../parts/words.js'

/** Asked for when somebody opens it. */
export function HostFacts({ host }: { host: string }) {
  const [open, setOpen] = useState(false)
  return (
    <details class="small" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>politeness</summary>
      {open ? <Facts host={host} /> : null}
    </details>
  )
}

function Facts({ host }: { host: string }) {
  const { now } = useService()
  const loaded = useLoad(`host ${host}`, (signal) =>
    request('GET hosts/:host', { params: { host }, signal }),
  )
  return (
    <LoadedView loaded={loaded} what="the host" absent={<p class="muted">Nothing is known.</p>}>
      {(facts) => (
        <dl class="facts">
          <dt>Rest between requests</dt>
          <dd>{humanDuration(facts.delay)}</dd>
          <dt>May be asked</dt>
          <dd>{dueWords(facts.readyAt, now())}</dd>
          <dt>Requests today</dt>
          <dd>
            {count(facts.requestsToday)}{' '}
            <span class="muted">with second looks, redirects and robots.txt</span>
          </dd>
          <dt>Failures in a row</dt>
          <dd>{count(facts.failures)}</dd>
          {facts.neighbours.on ? <NeighbourFact {...facts.neighbours} /> : null}
          {facts.hints.map(({ kind, predicted, right, trusted }) => (
            <HintFact key={kind} {...{ kind, predicted, right, trusted }} />
          ))}
          {facts.robots.map(({ origin, verdict, crawlDelay, rules, until }) => (
            <Robots key={origin} {...{ origin, verdict, crawlDelay, rules, until }} now={now()} />
          ))}
        </dl>
      )}
    </LoadedView>
  )
}

function NeighbourFact({ visits, foundChanged }: HostAnswer['neighbours']) {
  return (
    <>
      <dt>Change signals of neighbours</dt>
      <dd>
        on; {count(Math.round(foundChanged))} of {plural(Math.round(visits), 'visit')} soon after a
        change of another page found one
      </dd>
    </>
  )
}

function HintFact({
  kind,
  predicted,
  right,
  trusted,
}: Pick<HostAnswer['hints'][number], 'kind' | 'predicted' | 'right' | 'trusted'>) {
  return (
    <>
      <dt>
        <OutsideText text={hintNames[kind] ?? kind} />
      </dt>
      <dd>
        right at {count(right)} of {plural(predicted, 'visit')}
        {trusted ? ', trusted' : ''}
      </dd>
    </>
  )
}

function Robots({
  origin,
  verdict,
  crawlDelay,
  rules,
  until,
  now,
}: HostAnswer['robots'][number] & { now: UnixSeconds }) {
  return (
    <>
      <dt>
        robots.txt of <OutsideText text={origin} />
      </dt>
      <dd>
        {verdict}, {count(rules)} rules for us
        {crawlDelay === null ? '' : `, crawl delay ${humanDuration(crawlDelay)}`}, read again{' '}
        {until <= now ? 'at the next visit' : <FromNow at={until} now={now} />}
      </dd>
    </>
  )
}
