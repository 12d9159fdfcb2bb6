import type { Json } from '../../../src/model/index.js'
import { request } from '../../api/request.js'
import type { Route } from '../../app/route.js'
import { useLoad } from '../../app/use-load.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Empty } from '../../parts/states.js'

/** Who is told of changes: as the service lists them. */
interface NotificationsAnswer {
  readonly notifications: readonly Readonly<Record<string, Json>>[]
}

/** Whom the service tells of changes, and when. */
export default function NotificationsView(_: { route: Route }) {
  const loaded = useLoad('notifications', (signal) =>
    request<NotificationsAnswer>('notifications', { signal }),
  )
  return (
    <>
      <div class="head">
        <h1>Notifications</h1>
      </div>
      <LoadedView
        loaded={loaded}
        what="notifications"
        absent={
          <Empty title="This service sends no notifications.">
            <p>
              Programs can follow its changes as they happen, at{' '}
              <code>/api/events?changes=true</code>; see <a href="./docs">the API</a>.
            </p>
          </Empty>
        }
      >
        {({ notifications }) =>
          notifications.length === 0 ? (
            <Empty title="Nobody is told of changes yet." />
          ) : (
            <div class="grid">
              {notifications.map((each, i) => (
                <section key={String(each.id ?? i)} class="panel half">
                  <dl class="facts">
                    {Object.entries(each).map(([name, value]) => (
                      <Fact key={name} name={name} value={value} />
                    ))}
                  </dl>
                </section>
              ))}
            </div>
          )
        }
      </LoadedView>
    </>
  )
}

function Fact({ name, value }: { name: string; value: Json }) {
  return (
    <>
      <dt>
        <OutsideText text={name} />
      </dt>
      <dd>
        <OutsideText text={typeof value === 'string' ? value : JSON.stringify(value)} />
      </dd>
    </>
  )
}
