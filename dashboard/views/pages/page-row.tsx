import { shown } from '../../../src/formats/printable-text.js'
import type { UnixSeconds } from '../../../src/model/units.js'
import type { PageAnswer } from '../../../src/server/pages/page-schema.js'
import { memo } from '../../app/memo.js'
import { linkTo } from '../../app/route.js'
import { type Spark, SparkLine } from '../../charts/spark-line.js'
import { OutcomeMark } from '../../parts/outcome-mark.js'
import { PageName } from '../../parts/page-name.js'
import { bothMoments, FromNow } from '../../parts/time.js'
import {
  changesEvery,
  changesEveryTitle,
  count,
  dueWords,
  shortDuration,
} from '../../parts/words.js'

export interface PageRowProps {
  readonly page: PageAnswer
  readonly place: number
  readonly chosen: boolean
  readonly spark: Spark | undefined
  /** To the second: rows are rendered again when it moves on. */
  readonly now: UnixSeconds
  readonly onChoose: (id: string) => void
}

/** One page in the table. */
export const PageRow = memo(function PageRow(props: PageRowProps) {
  const { page, place, chosen, spark, now, onChoose } = props
  return (
    <tr aria-rowindex={place + 2} class={chosen ? 'chosen' : ''}>
      <td class="c-choose">
        <label>
          <input
            type="checkbox"
            checked={chosen}
            aria-label={`Choose ${shown(page.url)}`}
            onChange={() => onChoose(page.id)}
          />
        </label>
      </td>
      <th scope="row" class="c-url">
        <a href={linkTo(['pages', page.id])}>
          <PageName page={page} />
        </a>
      </th>
      <td class="c-spark">
        <SparkLine visits={spark} />
      </td>
      <td class="c-period nowrap" title={changesEveryTitle(page)}>
        <Brief long={changesEvery(page)} short={changesEvery(page, shortDuration)} />
      </td>
      <td class="c-last nowrap">
        {page.lastVisit === null ? (
          <span class="muted">not visited</span>
        ) : (
          <OutcomeMark outcome={page.lastVisit.outcome} />
        )}
      </td>
      <td class="c-change nowrap">
        {page.lastChange === null ? '–' : <FromNow at={page.lastChange} now={now} />}
      </td>
      <td class="c-due nowrap" title={dueTitle(page)}>
        <Brief long={dueWords(page.due.at, now)} short={shortDue(page.due.at, now)} />
      </td>
      <td class="c-visits number">{count(page.visits)}</td>
    </tr>
  )
})

/** One of the two is shown: the short one where there is little room. */
function Brief({ long, short }: { long: string; short: string }) {
  return (
    <>
      <span class="at-length">{long}</span>
      <span class="in-brief">{short}</span>
    </>
  )
}

function shortDue(at: UnixSeconds | 'never', now: UnixSeconds): string {
  return at === 'never' || at - now < 1 ? dueWords(at, now) : `in ${shortDuration(at - now)}`
}

function dueTitle({ due: { at, reason } }: PageAnswer): string {
  return at === 'never' ? shown(reason) : `${bothMoments(at)}: ${shown(reason)}`
}
