import { percent } from '../../../src/model/units.js'
import type { BudgetAnswer } from '../../../src/server/collection/budget.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Panel } from '../../parts/panel.js'
import { Scrolled } from '../../parts/scrolled.js'
import { about, count } from '../../parts/words.js'

/** Hosts shown, those with most requests first. */
const shown = 20

/** Broken before its port where it is too long. */
function HostName({ host }: { host: string }) {
  const end = host.search(/:\d+$/)
  if (end < 0) return <OutsideText text={host} />
  return (
    <>
      <OutsideText text={host.slice(0, end)} />
      <wbr />
      {host.slice(end)}
    </>
  )
}

/** How the budget in force spreads over the hosts. */
export function HostShares({ budget: { hosts } }: { budget: BudgetAnswer }) {
  if (hosts.length === 0) return null
  const most = hosts[0]!.requestsPerDay
  const more = hosts.length - shown
  return (
    <Panel title="How it spreads over hosts" size="half" note="With the budget in force.">
      <Scrolled what="Requests and freshness by host">
        <table>
          <thead>
            <tr>
              <th scope="col">Host</th>
              <th scope="col" class="number">
                pages
              </th>
              <th scope="col" class="number">
                requests a day
              </th>
              <th scope="col" class="number">
                fresh
              </th>
            </tr>
          </thead>
          <tbody>
            {hosts.slice(0, shown).map(({ host, pages, requestsPerDay, freshness }) => (
              <tr key={host}>
                <th scope="row">
                  <HostName host={host} />
                  <meter
                    class="share"
                    min="0"
                    max={most}
                    value={requestsPerDay}
                    aria-label="requests beside those of the host with most"
                  />
                </th>
                <td class="number">{count(pages)}</td>
                <td class="number">
                  {requestsPerDay < 10 ? requestsPerDay.toFixed(1) : about(requestsPerDay)}
                </td>
                <td class="number">{percent(freshness)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      {more > 0 ? <p class="muted small">And {count(more)} hosts with fewer.</p> : null}
    </Panel>
  )
}
