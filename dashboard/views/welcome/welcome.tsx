import { request } from '../../api/request.js'
import { useService } from '../../app/service.js'
import { useAct } from '../../app/use-act.js'
import { Refused } from '../../parts/states.js'

/** The first visit, with nothing followed yet: what Revisit does, and three ways to begin. */
export function Welcome() {
  return (
    <div class="welcome">
      <h1>Welcome to Revisit</h1>
      <p class="lead">
        Revisit watches web pages and shows you what changed, with as few requests as it takes: it
        learns how often each page changes.
      </p>
      <ul class="choice-cards">
        <li>
          <h2>
            <a href="#/pages?add=1">Add a page</a>
          </h2>
          <p>Type or paste an address, such as example.org/news. It is visited at once.</p>
        </li>
        <li>
          <h2>
            <a href="#/pages?add=1&amp;from=file">Import</a>
          </h2>
          <p>Bring a list of addresses or bookmarks, or the pages of another program.</p>
        </li>
        <li>
          <DemoChoice />
        </li>
      </ul>
    </div>
  )
}

function DemoChoice() {
  const { overview } = useService()
  const { act, busy, error } = useAct()
  const open = () =>
    act(async () => location.assign((await request('POST beside', { body: {} })).address))
  if (overview?.beside !== 'demo')
    return (
      <>
        <h2>See the demo</h2>
        <p>
          A sample web that changes before your eyes: type <code>revisit serve --demo</code> on your
          own machine.
        </p>
      </>
    )
  return (
    <>
      <h2>
        <button type="button" class="link" disabled={busy} onClick={open}>
          See the demo
        </button>
      </h2>
      <p role="status">
        {busy
          ? 'The demo starts; it takes some seconds …'
          : 'A sample web that changes before your eyes, a day in ten seconds.'}
      </p>
      <Refused error={error} inline />
    </>
  )
}
