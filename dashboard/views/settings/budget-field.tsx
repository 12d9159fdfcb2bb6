import { useState } from 'preact/hooks'
import { Field } from '../../parts/field.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { Panel } from '../../parts/panel.js'
import { about } from '../../parts/words.js'
import { useBudget } from '../budget/use-budget.js'

/** The budget by its number; what it and others would buy is under Budget. */
export function BudgetField() {
  const { loaded, ask, message } = useBudget()
  const [text, setText] = useState<string>()
  return (
    <Panel title="Budget">
      <LoadedView loaded={loaded} what="the budget" absent={<p>This service keeps no budget.</p>}>
        {({ requestsPerDay, source, configured }) => {
          const now = requestsPerDay === null ? '' : String(Math.round(requestsPerDay * 100) / 100)
          const wanted = Number(text ?? now)
          return (
            <div>
              <div class="row align-end">
                <Field name="Requests a day">
                  <input
                    class="short"
                    inputMode="decimal"
                    placeholder="none"
                    value={text ?? now}
                    onInput={(event) => setText(event.currentTarget.value)}
                  />
                </Field>
                <button
                  type="button"
                  disabled={!(wanted > 0) || (text ?? now) === now}
                  onClick={() => {
                    ask(wanted)
                    setText(undefined)
                  }}
                >
                  Set the budget
                </button>
                {source === 'set' ? (
                  <button type="button" onClick={() => ask(null)}>
                    {configured === null
                      ? 'Back to no budget'
                      : `Back to the configured ${about(configured)} a day`}
                  </button>
                ) : null}
                <span role="status">{message}</span>
              </div>
              <p class="muted small">
                {source === 'set' ? 'Set here.' : 'By the configuration.'} What it and others would
                buy: <a href="#/budget">Budget</a>.
              </p>
            </div>
          )
        }}
      </LoadedView>
    </Panel>
  )
}
