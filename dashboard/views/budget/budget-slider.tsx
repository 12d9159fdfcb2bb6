import { percent } from '../../../src/model/units.js'
import type { BudgetAnswer } from '../../../src/server/collection/budget.js'
import { about } from '../../parts/words.js'
import { freshnessAt, spentAt } from './curve.js'
import type { BudgetState } from './use-budget.js'

const steps = 200

/** Requests a day on a logarithmic scale; what it is left at is the budget. */
export function BudgetSlider({
  budget,
  state: { ask, message },
  chosen,
  setChosen,
}: {
  budget: BudgetAnswer
  state: BudgetState
  chosen: number
  setChosen: (requestsPerDay: number) => void
}) {
  const { low, high } = rangeOf(budget)
  const place = Math.round((steps * Math.log(chosen / low)) / Math.log(high / low))
  const value = (at: number) => rounded(low * (high / low) ** (at / steps))
  const freshness = percent(freshnessAt(budget.curve, spentAt(budget, chosen)) ?? 0)
  return (
    <div class="panel budget-slider">
      <label for="budget">
        Requests a day: <span class="strong">{about(chosen)}</span>
      </label>
      <input
        id="budget"
        type="range"
        min="0"
        max={steps}
        value={place}
        aria-valuetext={`${about(chosen)} requests a day, predicted freshness ${freshness}`}
        onInput={(event) => setChosen(value(event.currentTarget.valueAsNumber))}
        onChange={(event) => ask(value(event.currentTarget.valueAsNumber))}
      />
      <div class="row">
        <span class="muted">{inForce(budget)}</span>
        {budget.source === 'set' ? (
          <button type="button" onClick={() => ask(null)}>
            {budget.configured === null
              ? 'Back to no budget'
              : `Back to the configured ${about(budget.configured)} a day`}
          </button>
        ) : null}
        <span role="status">{message}</span>
      </div>
    </div>
  )
}

/** From the curve's end, or a hundredth of a request a page and day, to where more requests bring next to nothing. */
function rangeOf({ curve, pages, most, requestsPerDay }: BudgetAnswer) {
  const ends = [curve[0]!.requestsPerDay, curve[curve.length - 1]!.requestsPerDay] as const
  const now = requestsPerDay ?? ends[0]
  const low = Math.min(now, Math.max(ends[0], 0.01 * pages))
  const high = Math.max(now, Math.min(ends[1], most ?? Infinity))
  return { low, high: Math.max(high, 1.1 * low) }
}

/** Two or three digits are as fine as anybody means. */
function rounded(requestsPerDay: number): number {
  return Number(requestsPerDay.toPrecision(requestsPerDay < 10 ? 2 : 3))
}

function inForce({ requestsPerDay, source, most }: BudgetAnswer): string {
  if (requestsPerDay === null) return 'No budget is set: a visit must bring 6 hours of freshness.'
  const from = source === 'set' ? 'set here' : 'by the configuration'
  const limit = most === null ? '' : `; never more than ${about(most)}`
  return `In force: ${about(requestsPerDay)} a day, ${from}${limit}.`
}
