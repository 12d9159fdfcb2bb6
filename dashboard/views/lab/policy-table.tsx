import { humanDuration } from '../../../src/model/index.js'
import type { PolicyRow } from '../../lab/lab-run.js'
import { percent } from '../../parts/words.js'

/** Policies side by side on the same pages. */
export function PolicyTable({ rows }: { rows: readonly PolicyRow[] }) {
  return (
    <div class="scrolled">
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
    </div>
  )
}
