import type { Json } from '../../../src/model/units.js'
import type { Answers } from '../../../src/server/answers.js'
import { request } from '../../api/request.js'
import { linkTo, type Route } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { useLoad } from '../../app/use-load.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { OutsideText } from '../../parts/outside-text.js'
import { PageName } from '../../parts/page-name.js'
import { Panel } from '../../parts/panel.js'
import { Scrolled } from '../../parts/scrolled.js'
import { Empty } from '../../parts/states.js'
import { FromNow } from '../../parts/time.js'
import { ChannelForm } from './channel-form.js'
import { ChannelItem } from './channel-item.js'

type NotificationAnswers = Answers['GET channels'] & Answers['GET deliveries']

/** Whom the service tells of changes, of which, and what became of it. */
export default function NotificationsView(_: { route: Route }) {
  const loaded = useLoad('channels', read)
  return (
    <>
      <div class="head">
        <h1>Notifications</h1>
      </div>
      <p class="muted">
        Changes are also published as an <a href="./feeds/changes.atom">Atom feed</a>, and to
        programs as they happen; see <a href="./docs">the API</a>.
      </p>
      <LoadedView
        loaded={loaded}
        what="notifications"
        absent={<Empty title="This service sends no notifications." />}
      >
        {({ channels, deliveries }) => (
          <div class="grid">
            {channels.length === 0 ? (
              <Empty title="Nobody is notified of changes yet.">
                <p>Add a channel below.</p>
              </Empty>
            ) : null}
            {channels.map((channel) => (
              <ChannelItem key={channel.id} channel={channel} reload={loaded.reload} />
            ))}
            <Panel title={channels.length === 0 ? 'Add a channel' : 'Add another channel'}>
              <ChannelForm onDone={loaded.reload} />
            </Panel>
            {deliveries.length === 0 ? null : (
              <Deliveries channels={channels} deliveries={deliveries} />
            )}
          </div>
        )}
      </LoadedView>
    </>
  )
}

async function read(signal: AbortSignal): Promise<NotificationAnswers> {
  const [{ channels }, { deliveries }] = await Promise.all([
    request('GET channels', { signal }),
    request('GET deliveries', { query: { limit: 50 }, signal }),
  ])
  return { channels, deliveries }
}

function Deliveries({ channels, deliveries }: NotificationAnswers) {
  const { now } = useService()
  return (
    <Panel title="The last deliveries">
      <Scrolled what="Deliveries">
        <table class="delivery-table rows-on-phone">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">channel</th>
              <th scope="col">page</th>
              <th scope="col">state</th>
            </tr>
          </thead>
          <tbody>
            {inOrder(deliveries).map(
              ({ id, channel, page, event, madeAt, state, attempts, error }) => (
                <tr key={id}>
                  <td class="nowrap">
                    <FromNow at={madeAt} now={now()} />
                  </td>
                  <td>
                    <OutsideText
                      text={channels.find((each) => each.id === channel)?.name ?? channel}
                    />
                  </td>
                  <td>
                    <a href={linkTo(['pages', page])}>
                      <PageName page={pageIn(event) ?? { title: null, url: `page ${page}` }} />
                    </a>
                  </td>
                  <td>
                    {state.replace('-', ' ')}
                    {attempts > 1 ? ` after ${attempts} attempts` : ''}
                    {error === null ? null : (
                      <span class="muted">
                        {' '}
                        <OutsideText text={error} />
                      </span>
                    )}
                  </td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </Scrolled>
    </Panel>
  )
}

type Delivery = NotificationAnswers['deliveries'][number]

function inOrder(deliveries: readonly Delivery[]): Delivery[] {
  return [...deliveries].sort((a, b) => b.madeAt - a.madeAt || Number(b.id) - Number(a.id))
}

/** The page of a notice, as it was when the notice was made. */
function pageIn(event: Json): { title: string | null; url: string } | null {
  const { page } = (event ?? {}) as { page?: { url?: unknown; title?: unknown } }
  if (typeof page?.url !== 'string') return null
  return { url: page.url, title: typeof page.title === 'string' ? page.title : null }
}
