import { useEffect } from 'preact/hooks'
import { humanDuration } from '../../../src/model/duration.js'
import type { Answers } from '../../../src/server/answers.js'
import { request } from '../../api/request.js'
import { useLoad } from '../../app/use-load.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Panel } from '../../parts/panel.js'
import { Scrolled } from '../../parts/scrolled.js'
import { Empty } from '../../parts/states.js'
import { FromNow } from '../../parts/time.js'
import { count } from '../../parts/words.js'

type Status = Answers['GET status']

/** Workers report every five seconds. */
const askEvery = 5_000

/** Who is at work on the store, and who does what is done once for all. */
export function Workers() {
  const loaded = useLoad('status', (signal) => request('GET status', { signal }))
  const { reload } = loaded
  useEffect(() => {
    const timer = setInterval(reload, askEvery)
    return () => clearInterval(timer)
  }, [reload])
  return (
    <Panel
      title="At work on this store"
      size="full"
      note="Any number of processes may share a store: revisit worker starts one more."
    >
      <LoadedView
        loaded={loaded}
        what="the workers"
        absent={<Empty title="This service does not tell who is at work." />}
      >
        {(status) => (
          <>
            <Table {...status} />
            <dl class="facts">
              <dt>Longest overdue</dt>
              <dd>{status.lag > 0 ? humanDuration(status.lag) : 'nothing is'}</dd>
              <dt>A request costs</dt>
              <dd>{humanDuration(status.price)} of freshness</dd>
              {status.chores.map(({ name, worker, held }) => (
                <Chore key={name} {...{ name, worker, held }} />
              ))}
            </dl>
          </>
        )}
      </LoadedView>
    </Panel>
  )
}

function Table({ workers, now }: Pick<Status, 'workers' | 'now'>) {
  if (workers.length === 0) return <Empty title="No worker has reported." />
  return (
    <Scrolled what="Workers">
      <table class="rows-on-phone">
        <thead>
          <tr>
            <th scope="col">Worker</th>
            <th scope="col">as</th>
            <th scope="col">version</th>
            <th scope="col">since</th>
            <th scope="col">last sign of life</th>
            <th scope="col" class="number">
              pages held
            </th>
          </tr>
        </thead>
        <tbody>
          {workers.map(({ name, role, version, since, lastSign, leases, alive }) => (
            <tr key={name}>
              <th scope="row" class="mono">
                <OutsideText text={name} />
              </th>
              <td>{role}</td>
              <td data-label="version">{version}</td>
              <td class="nowrap" data-label="since">
                <FromNow at={since} now={now} />
              </td>
              <td class="nowrap" data-label="sign of life">
                <FromNow at={lastSign} now={now} />
                {alive ? '' : ': gone or frozen'}
              </td>
              <td class="number" data-label="pages held">
                {count(leases)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}

function Chore({ name, worker, held }: Pick<Status['chores'][number], 'name' | 'worker' | 'held'>) {
  return (
    <>
      <dt>
        <OutsideText text={name} />
      </dt>
      <dd class="mono">
        <OutsideText text={held ? worker : `${worker}, which is gone: another takes over`} />
      </dd>
    </>
  )
}
