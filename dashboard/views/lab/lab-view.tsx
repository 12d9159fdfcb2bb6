import { useState } from 'preact/hooks'
import { percent } from '../../../src/model/units.js'
import { policyKinds, rateEstimators } from '../../../src/planner/registry.js'
import type { Route } from '../../app/route.js'
import { firstRun, type LabRun, type Truth } from '../../lab/lab-run.js'
import { useLab } from '../../lab/use-lab.js'
import { Field } from '../../parts/field.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Panel } from '../../parts/panel.js'
import { count } from '../../parts/words.js'
import { Choices } from './choices.js'
import { ConvergencePlot } from './convergence-plot.js'
import { NumberField } from './number-field.js'
import { PolicyPanel } from './policy-panel.js'
import { firstProcess, kindOf, ProcessFields, specOf } from './process-fields.js'
import { useRecord } from './use-record.js'

/** Try policies and estimators on a known truth, by the code that the service runs. */
export default function LabView({ route }: { route: Route }) {
  const record = useRecord(route.query.page)
  const [process, setProcess] = useState(firstProcess)
  const [days, setDays] = useState(firstRun.days)
  const [pages, setPages] = useState(firstRun.pages)
  const [spread, setSpread] = useState(firstRun.spread)
  const [visitsPerDay, setVisitsPerDay] = useState(firstRun.visitsPerDay ?? 0)
  const [seed, setSeed] = useState(firstRun.seed)
  const [policies, setPolicies] = useState(firstRun.policies)
  const [estimators, setEstimators] = useState(firstRun.estimators)
  const [watchedBy, setWatchedBy] = useState(firstRun.watchedBy)
  const [reportsContentAge, setReports] = useState(false)
  const { state, start, stop } = useLab()
  const [shown, setShown] = useState(estimators)
  const [asked, setAsked] = useState<LabRun | null>(null)
  const run = () => {
    const truth: Truth = record.truth ?? { kind: 'process', spec: specOf(process) }
    const next: LabRun = {
      truth,
      days: whole(days, { least: 1, most: 3650 }),
      pages: whole(pages, { least: 1, most: 2000 }),
      spread: between(spread, { least: 1, most: 1e6 }),
      visitsPerDay: visitsPerDay > 0 ? between(visitsPerDay, { least: 0.001, most: 100 }) : null,
      seed: whole(seed, { least: 0, most: 2 ** 31 }),
      policies,
      estimators,
      watchedBy,
      reportsContentAge,
    }
    setShown(estimators)
    setAsked(next)
    start(next)
  }
  return (
    <>
      <div class="head">
        <h1>Lab</h1>
      </div>
      <p class="muted">
        Choose how pages really change, and let policies visit them. It runs in this browser, with
        the same code as the service.
      </p>
      <form
        class="panel lab-form"
        onSubmit={(event) => {
          event.preventDefault()
          run()
        }}
      >
        {route.query.page === undefined ? (
          <>
            <ProcessFields chosen={process} onChange={setProcess} />
            <p class="muted small">{kindOf(process).summary}.</p>
          </>
        ) : (
          <RecordWords record={record} />
        )}
        <div class="row align-start">
          <NumberField name="Days" value={days} onChange={setDays} />
          {record.truth === undefined ? (
            <>
              <NumberField name="Pages" value={pages} onChange={setPages} />
              <NumberField
                name="Fastest over slowest page"
                value={spread}
                step="any"
                onChange={setSpread}
              />
            </>
          ) : null}
          <NumberField
            name="Visits a page and day (0: as each asks)"
            value={visitsPerDay}
            step="any"
            onChange={setVisitsPerDay}
          />
          <NumberField name="Seed" value={seed} onChange={setSeed} />
          <Field name="Estimators use the visits of">
            <select value={watchedBy} onChange={(event) => setWatchedBy(event.currentTarget.value)}>
              {policyKinds.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
          <label class="check">
            <input
              type="checkbox"
              checked={reportsContentAge}
              onChange={(event) => setReports(event.currentTarget.checked)}
            />
            servers send Last-Modified
          </label>
        </div>
        <details>
          <summary>
            {policies.length} policies, {estimators.length} estimators
          </summary>
          <div class="grid">
            <div class="half">
              <Choices
                title="Policies"
                all={policyKinds}
                chosen={policies}
                onChange={setPolicies}
              />
            </div>
            <div class="half">
              <Choices
                title="Estimators"
                all={rateEstimators}
                chosen={estimators}
                onChange={setEstimators}
              />
            </div>
          </div>
        </details>
        <div class="row">
          <button
            type="submit"
            class="first"
            disabled={route.query.page !== undefined && record.truth === undefined}
          >
            Run
          </button>
          <button type="button" onClick={stop} disabled={!state.running}>
            Stop
          </button>
          <span role="status" class="muted">
            {statusOf(state)}
          </span>
        </div>
      </form>
      {state.error === null ? null : (
        <p class="state failed" role="alert">
          {state.error}
        </p>
      )}
      {state.points.length > 0 || state.running || state.error !== null ? null : (
        <p class="muted">
          A run shows here how near the estimators come with each visit, and how fresh each policy
          keeps the copies.
        </p>
      )}
      {state.points.length === 0 ? null : (
        <Panel
          title="How the estimates converge"
          note={`One page: ${state.summary}. Upwards the estimated time between changes; both axes are logarithmic.`}
        >
          <ConvergencePlot
            points={state.points}
            estimators={shown}
            truth={finite(state.changePeriod)}
          />
        </Panel>
      )}
      {state.rows.length === 0 || asked === null ? null : (
        <PolicyPanel rows={state.rows} asked={asked} done={state.done !== null} />
      )}
    </>
  )
}

function RecordWords({ record }: { record: ReturnType<typeof useRecord> }) {
  if (record.error !== undefined) return <p role="alert">{record.error}</p>
  if (record.truth === undefined) return <p role="status">Loading the page’s history …</p>
  const { times, name } = record.truth
  return (
    <p>
      The {count(times.length - 1)} changes that were seen of <OutsideText text={name} />, each put
      where the server dated it, else in the middle of the gap that saw it.{' '}
      <a href="#/lab">Use a change process instead</a>
    </p>
  )
}

interface Limits {
  readonly least: number
  readonly most: number
}

function whole(value: number, limits: Limits): number {
  return Math.round(between(value, limits))
}

function between(value: number, { least, most }: Limits): number {
  return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : least
}

function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null
}

function statusOf({ running, share, done }: ReturnType<typeof useLab>['state']): string {
  if (running) return share === 0 ? 'Running …' : `Running … ${percent(share)}`
  if (done === null) return ''
  return `Done: ${count(done.visits)} visits in ${(done.milliseconds / 1000).toFixed(1)} s.`
}
