import type { Json } from '../../../src/model/units.js'
import { request } from '../../api/request.js'
import type { Route } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { useLoad } from '../../app/use-load.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Panel } from '../../parts/panel.js'
import { Empty } from '../../parts/states.js'
import { BudgetField } from './budget-field.js'
import { FixedSettings, LiveSettings } from './live-settings.js'
import { PasswordForm } from './password-form.js'
import { Workers } from './workers.js'

/** The settings: those that can be changed while the service runs, and the others with where they come from. */
export default function SettingsView(_: { route: Route }) {
  const { overview } = useService()
  const loaded = useLoad('settings', (signal) => request('GET settings', { signal }))
  return (
    <>
      <div class="head">
        <h1>Settings</h1>
      </div>
      <div class="grid">
        <div class="two-thirds stacked">
          <LoadedView
            loaded={loaded}
            what="settings"
            absent={<Empty title="This service does not tell its settings." />}
          >
            {({ settings, details }) =>
              details.length === 0 ? (
                <Panel
                  title="In force"
                  {...(overview?.demo
                    ? { note: 'What the demo runs with; it cannot be changed here.' }
                    : {})}
                >
                  <dl class="facts">
                    {Object.entries(settings).map(([name, value]) => (
                      <Setting key={name} name={name} value={value} />
                    ))}
                  </dl>
                </Panel>
              ) : (
                <>
                  <LiveSettings rows={details} reload={loaded.reload} />
                  <BudgetField />
                  <FixedSettings rows={details} />
                </>
              )
            }
          </LoadedView>
        </div>
        <div class="third stacked">
          <Panel title="This service">
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
          <PasswordForm />
        </div>
        {overview?.demo === true ? null : <Workers />}
      </div>
    </>
  )
}

function Setting({ name, value }: { name: string; value: Json }) {
  const text =
    typeof value === 'string'
      ? value
      : typeof value === 'boolean'
        ? value
          ? 'on'
          : 'off'
        : JSON.stringify(value)
  return (
    <>
      <dt>{name}</dt>
      <dd class="mono">
        <OutsideText text={text} />
      </dd>
    </>
  )
}
