import { useState } from 'preact/hooks'
import { humanDuration } from '../../../src/model/duration.js'
import type { Seconds, UnixSeconds } from '../../../src/model/units.js'
import { request } from '../../api/request.js'
import { useService } from '../../app/service.js'
import { useLoad } from '../../app/use-load.js'
import { hintNames } from '../../parts/hint-names.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { OutsideText } from '../../parts/outside-text.js'
import { count, fromNow, plural } from '../../parts/words.js'

/** What politeness knows of a host. */
interface HostFactsAnswer {
  readonly delay: Seconds
  readonly readyAt: UnixSeconds
  readonly failures: number
  readonly requestsToday: number
  /** How publishers' hints did on all its pages. */
  readonly hints?: readonly {
    readonly kind: string
    readonly predicted: number
    readonly right: number
    readonly trusted: boolean
  }[]
  /** Whether its pages are told of each other's changes, and how visits soon after one went. */
  readonly neighbours?: {
    readonly on: boolean
    readonly visits: number
    readonly foundChanged: number
  }
  readonly robots: readonly {
    readonly origin: string
    readonly verdict: string
    readonly until: UnixSeconds
    readonly crawlDelay: Seconds | null
    readonly rules: number
  }[]
}

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
    request<HostFactsAnswer>(`hosts/${encodeURIComponent(host)}`, { signal }),
  )
  return (
    <LoadedView loaded={loaded} what="the host" absent={<p class="muted">Nothing is known.</p>}>
      {(facts) => (
        <dl class="facts">
          <dt>Rest between requests</dt>
          <dd>{humanDuration(facts.delay)}</dd>
          <dt>May be asked</dt>
          <dd>{facts.readyAt <= now() ? 'now' : fromNow(facts.readyAt, now())}</dd>
          <dt>Requests today</dt>
          <dd>{count(facts.requestsToday)}</dd>
          <dt>Failures in a row</dt>
          <dd>{count(facts.failures)}</dd>
          {facts.neighbours?.on === true ? <NeighbourFact {...facts.neighbours} /> : null}
          {(facts.hints ?? []).map(({ kind, predicted, right, trusted }) => (
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

function NeighbourFact({ visits, foundChanged }: NonNullable<HostFactsAnswer['neighbours']>) {
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
}: NonNullable<HostFactsAnswer['hints']>[number]) {
  return (
    <>
      <dt>
        <OutsideText text={hintNames[kind] ?? kind} />
      </dt>
      <dd>
        right at {count(right)} of {plural(predicted, 'visit')}
        {trusted ? ', believed' : ''}
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
}: HostFactsAnswer['robots'][number] & { now: UnixSeconds }) {
  return (
    <>
      <dt>
        robots.txt of <OutsideText text={origin} />
      </dt>
      <dd>
        {verdict}, {count(rules)} rules for us
        {crawlDelay === null ? '' : `, crawl delay ${humanDuration(crawlDelay)}`}, read again{' '}
        {until <= now ? 'at the next visit' : fromNow(until, now)}
      </dd>
    </>
  )
}
