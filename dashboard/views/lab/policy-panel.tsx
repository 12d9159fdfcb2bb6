import { humanDuration } from '../../../src/model/duration.js'
import { percent } from '../../../src/model/units.js'
import type { LabRun, PolicyRow } from '../../lab/lab-run.js'
import { hasPeriod } from '../../lab/truth-process.js'
import { Panel } from '../../parts/panel.js'
import { Scrolled } from '../../parts/scrolled.js'
import { pointsAbove } from '../../parts/words.js'

/** What each policy achieved, and how it comes that they compare. */
export function PolicyPanel({
  rows,
  asked,
  done,
}: {
  rows: readonly PolicyRow[]
  asked: LabRun
  done: boolean
}) {
  return (
    <Panel title="What each policy achieves" note={`${pagesOf(asked)} ${visitsOf(asked)}`}>
      {done ? <Ranking rows={rows} asked={asked} /> : null}
      <PolicyTable rows={rows} />
    </Panel>
  )
}

function pagesOf({ truth, pages, spread }: LabRun): string {
  const same = 'All policies visit the same pages with the same changes'
  if (truth.kind === 'record') return 'All policies visit the same page with the same changes.'
  if (!(spread > 1) || pages === 1 || !hasPeriod(truth.spec)) return `${same}, all alike.`
  return `${same}; the fastest changes about ${spread.toPrecision(3)} times as often as the slowest.`
}

function visitsOf({ visitsPerDay }: LabRun): string {
  if (visitsPerDay === null)
    return 'Each visits as often as it asks for, so only the second and third column compare: as many visits at equal gaps.'
  return `Each makes as many visits, ${visitsPerDay} a page and day after the first: the default by its price of a request, the others by one factor on all their gaps, both found afterwards.`
}

/** Where the default stands among the others at as many visits, in words; nothing where they do not compare. */
function Ranking({ rows, asked }: { rows: readonly PolicyRow[]; asked: LabRun }) {
  const own = rows.find(({ policy }) => policy === 'auto')
  const compared = rows.filter(({ offBudget, cutShort }) => !offBudget && !cutShort)
  if (asked.visitsPerDay === null || own === undefined || !compared.includes(own)) return null
  const others = compared.filter((row) => row !== own)
  const best = others.reduce<PolicyRow | null>(
    (found, row) => (found === null || row.freshness > found.freshness ? row : found),
    null,
  )
  if (best === null) return null
  const points = pointsAbove(own.freshness, best.freshness)
  return (
    <p>
      {points >= 0
        ? `The default (auto) is ahead of the next best, ${best.policy}, by ${points.toFixed(1)} points.`
        : `The default (auto) is behind ${best.policy} by ${(-points).toFixed(1)} points here: ${whyBehind(asked)}`}
    </p>
  )
}

function whyBehind({ truth, pages, spread }: LabRun): string {
  if (truth.kind === 'record' || pages === 1 || !(spread > 1) || !hasPeriod(truth.spec))
    return 'pages that are all alike are best visited alike, and there is nothing to gain by telling them apart.'
  return 'it spends visits on telling pages apart, which this run does not repay.'
}

/** Policies side by side on the same pages. */
function PolicyTable({ rows }: { rows: readonly PolicyRow[] }) {
  return (
    <Scrolled what="Freshness by policy">
      <table>
        <thead>
          <tr>
            <th scope="col">Policy</th>
            <th scope="col" class="number">
              fresh
            </th>
            <th scope="col" class="number">
              as many visits, equal gaps
            </th>
            <th scope="col" class="number">
              copy behind by
            </th>
            <th scope="col" class="number">
              visits a day
            </th>
            <th scope="col" class="number">
              changes noticed
            </th>
            <th scope="col" class="number">
              needless visits
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.policy}>
              <th scope="row">
                {row.policy}
                {row.cutShort ? <span class="muted small"> (cut short)</span> : null}
                {row.offBudget ? (
                  <span class="muted small"> (cannot be brought to as many visits)</span>
                ) : null}
              </th>
              <td class="number strong">{percent(row.freshness, { digits: 1 })}</td>
              <td class="number">{percent(row.fixedFreshness, { digits: 1 })}</td>
              <td class="number">{humanDuration(row.copyAge)}</td>
              <td class="number">{row.visitsPerDay.toPrecision(3)}</td>
              <td class="number">{percent(row.caughtShare)}</td>
              <td class="number">{percent(row.needlessShare)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}
