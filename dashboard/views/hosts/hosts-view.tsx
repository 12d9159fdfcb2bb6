import { useState } from 'preact/hooks'
import { humanDuration } from '../../../src/model/duration.js'
import type { Answers } from '../../../src/server/answers.js'
import { request } from '../../api/request.js'
import { linkTo, type Route } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { useLoad } from '../../app/use-load.js'
import { useTick } from '../../app/use-tick.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Scrolled } from '../../parts/scrolled.js'
import { Empty, NoPages } from '../../parts/states.js'
import { FromNow } from '../../parts/time.js'
import { count, dueWords } from '../../parts/words.js'
import { HostFacts } from './host-facts.js'

const most = 200

type Hosts = Answers['GET hosts']['hosts']

/** Hosts, how many of their pages are followed, and when they may be asked again. */
export default function HostsView(_: { route: Route }) {
  const [contains, setContains] = useState('')
  const [after, setAfter] = useState<readonly string[]>([])
  const loaded = useLoad(`hosts ${contains} ${after.join(' ')}`, (signal) =>
    request('GET hosts', {
      query: { contains, limit: most, after: after[after.length - 1] },
      signal,
    }),
  )
  return (
    <>
      <div class="head">
        <h1>Hosts</h1>
      </div>
      <search class="row toolbar">
        <label class="field">
          <span>Name contains</span>
          <input
            type="search"
            value={contains}
            onInput={(event) => {
              setContains(event.currentTarget.value)
              setAfter([])
            }}
          />
        </label>
      </search>
      <LoadedView
        loaded={loaded}
        what="hosts"
        absent={<Empty title="This service does not list hosts." />}
      >
        {({ hosts, next }) =>
          hosts.length === 0 ? (
            contains === '' ? (
              <NoPages />
            ) : (
              <Empty title="No host has this name." />
            )
          ) : (
            <>
              <HostTable hosts={hosts} />
              {after.length === 0 && next === null ? null : (
                <div class="row turn">
                  <button
                    type="button"
                    disabled={after.length === 0}
                    onClick={() => setAfter(after.slice(0, -1))}
                  >
                    Back
                  </button>
                  <button
                    type="button"
                    disabled={next === null}
                    onClick={() => setAfter([...after, next!])}
                  >
                    More hosts
                  </button>
                </div>
              )}
            </>
          )
        }
      </LoadedView>
    </>
  )
}

function HostTable({ hosts }: { hosts: Hosts }) {
  const { now } = useService()
  useTick(2000)
  return (
    <Scrolled what="Hosts">
      <table class="hosts-table rows-on-phone">
        <thead>
          <tr>
            <th scope="col">Host</th>
            <th scope="col" class="number">
              pages
            </th>
            <th scope="col">last visit</th>
            <th scope="col">next page due</th>
            <th scope="col">rests</th>
          </tr>
        </thead>
        <tbody>
          {hosts.map(({ host, pages, lastVisit, firstDue, blockedUntil }) => (
            <tr key={host}>
              <th scope="row">
                <a href={linkTo(['pages'], { host })}>
                  <OutsideText text={host} />
                </a>
                <HostFacts host={host} />
              </th>
              <td class="number" data-label="pages">
                {count(pages)}
              </td>
              <td class="nowrap" data-label="visited">
                {lastVisit === null ? (
                  'none'
                ) : (
                  <FromNow at={Math.min(lastVisit, now())} now={now()} />
                )}
              </td>
              <td class="nowrap" data-label="due">
                {dueWords(firstDue, now())}
              </td>
              <td class="nowrap" data-label="rests">
                {blockedUntil === null || blockedUntil <= now()
                  ? 'no'
                  : `for ${humanDuration(blockedUntil - now())}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}
