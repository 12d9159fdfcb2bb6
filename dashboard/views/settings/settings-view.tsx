import type { Json } from '../../../src/model/units.js'
import { request } from '../../api/request.js'
import type { Route } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { useLoad } from '../../app/use-load.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Panel } from '../../parts/panel.js'
import { Empty } from '../../parts/states.js'
import { Workers } from './workers.js'

/** The settings in force. They are changed in revisit.yaml or the environment. */
export default function SettingsView(_: { route: Route }) {
  const { overview } = useService()
  const loaded = useLoad('settings', (signal) => request('GET settings', { signal }))
  return (
    <>
      <div class="head">
        <h1>Settings</h1>
      </div>
      <div class="grid">
        <Panel
          title="In force"
          size="two-thirds"
          note="They come from revisit.yaml, the environment and the command line, and hold until the service is started again. Only the budget can be changed while it runs, under Budget."
        >
          <LoadedView
            loaded={loaded}
            what="settings"
            absent={<Empty title="This service does not tell its settings." />}
          >
            {({ settings }) => (
              <dl class="facts">
                {Object.entries(settings).map(([name, value]) => (
                  <Setting key={name} name={name} value={value} />
                ))}
              </dl>
            )}
          </LoadedView>
        </Panel>
        <Panel title="This service" size="third">
          <dl class="facts">
            <dt>Version</dt>
            <dd>{overview?.version ?? '–'}</dd>
            <dt>Collection</dt>
            <dd>{overview?.collection ?? '–'}</dd>
            <dt>Crawler</dt>
            <dd>
              {overview === undefined
                ? '–'
                : overview.loop?.running
                  ? 'runs here'
                  : 'does not run here'}
            </dd>
            <dt>API</dt>
            <dd>
              <a href="./docs">how to use it</a>, <a href="./openapi.json">OpenAPI</a>
            </dd>
            <dt>Export</dt>
            <dd>
              <a href="./api/export/pages" download="pages.jsonl">
                all pages
              </a>
              ,{' '}
              <a href="./api/export/visits" download="visits.csv">
                all visits
              </a>
            </dd>
          </dl>
        </Panel>
        <Workers />
      </div>
    </>
  )
}

function Setting({ name, value }: { name: string; value: Json }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return (
    <>
      <dt>{name}</dt>
      <dd class="mono">
        <OutsideText text={text} />
      </dd>
    </>
  )
}
