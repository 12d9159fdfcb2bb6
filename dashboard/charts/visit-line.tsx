import type { Outcome } from '../../src/model/history.js'
import type { UnixSeconds } from '../../src/model/units.js'
import { shortDuration, shortTime } from '../parts/words.js'
import { timeTicks } from './ticks.js'
import { useWidth } from './use-width.js'

export interface LineVisit {
  readonly at: UnixSeconds
  readonly outcome: Outcome
  readonly contentAge?: number | null
}

const height = 118
const rows = { changes: 24, dated: 24, visits: 66, axis: 92 }
/** More marks than pixels only make the picture slow. */
const most = 3000

/**
 * Visits and changes on one line of time: a change spans from the visit
 * before it to the one that found it, for it happened somewhere between.
 */
export function VisitLine({
  visits,
  due,
}: {
  visits: readonly LineVisit[]
  due?: UnixSeconds | null
}) {
  const { ref, width } = useWidth<HTMLDivElement>()
  const shown = visits.slice(-most)
  const from = shown[0]?.at ?? 0
  const last = shown[shown.length - 1]?.at ?? 1
  // A visit that is far off would press the past into a corner: it stands at the end, with its distance.
  const past = last - from
  const isFar = due !== undefined && due !== null && past > 0 && due - last > 2 * past
  const end = isFar ? last + past / 5 : (due ?? last)
  const until = Math.max(last, end)
  const span = Math.max(1, until - from)
  const x = (at: UnixSeconds) => 8 + ((at - from) / span) * Math.max(1, width - 16)
  const changes = shown.filter(({ outcome }) => outcome === 'changed').length
  return (
    <div ref={ref} class="visit-line">
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`${shown.length} visits, ${changes} of which found a change, on a line of time`}
      >
        <text x="8" y="12" class="chart-text">
          changes
        </text>
        <text x="8" y="54" class="chart-text">
          visits
        </text>
        <path d={`M8 ${rows.visits}H${width - 8}`} class="stroke-rule" />
        {spans(shown).map(({ begin, end }) => (
          <rect
            key={end}
            x={x(begin)}
            y={rows.changes - 6}
            width={Math.max(1, x(end) - x(begin))}
            height="12"
            class="change-span"
          />
        ))}
        <path d={marks(shown, 'changed', x)} class="mark-changed" />
        <path d={marks(shown, 'unchanged', x)} class="mark-unchanged" />
        <path d={marks(shown, 'other', x)} class="mark-other" />
        {dated(shown).map((at) => (
          <circle key={at} cx={x(at)} cy={rows.dated} r="2.5" class="mark-dated" />
        ))}
        {due === undefined || due === null ? null : (
          <path d={dueMark(x(isFar ? until : due))} class="mark-due">
            <title>next visit</title>
          </path>
        )}
        {isFar ? (
          <text x={width - 8} y="54" class="chart-text end">
            {`next ${shortDuration(due - last)} later`}
          </text>
        ) : null}
        {timeTicks([from, from + span], Math.max(2, width / 110)).map((at) => (
          <g key={at}>
            <path d={`M${x(at)} ${rows.axis - 8}v5`} class="stroke-rule" />
            <text x={x(at)} y={rows.axis + 12} class={`chart-text ${anchorAt(x(at), width)}`}>
              {shortTime(at, { span })}
            </text>
          </g>
        ))}
      </svg>
      <ul class="legend">
        <li>
          <i class="key changed" /> found a change
        </li>
        <li>
          <i class="key unchanged" /> found none
        </li>
        <li>
          <i class="key other" /> failed, gone or refused
        </li>
        <li>
          <i class="key span" /> somewhere here it changed
        </li>
        <li>
          <i class="key dated" /> when the server says so
        </li>
        {due === undefined || due === null ? null : (
          <li>
            <i class="key due" /> next visit
          </li>
        )}
      </ul>
    </div>
  )
}

/** A word of the axis at either end stands inwards, so that it is not cut. */
function anchorAt(x: number, width: number): string {
  return x > width - 50 ? 'end' : x < 40 ? '' : 'middle'
}

const seen = new Set<Outcome>(['first', 'changed', 'unchanged'])

function spans(visits: readonly LineVisit[]): { begin: UnixSeconds; end: UnixSeconds }[] {
  const found = []
  let before: UnixSeconds | undefined
  for (const { at, outcome } of visits) {
    if (!seen.has(outcome)) continue
    if (outcome === 'changed' && before !== undefined) found.push({ begin: before, end: at })
    before = at
  }
  return found
}

function dated(visits: readonly LineVisit[]): UnixSeconds[] {
  const times = visits
    .filter(({ outcome, contentAge }) => outcome === 'changed' && typeof contentAge === 'number')
    .map(({ at, contentAge }) => at - contentAge!)
  return [...new Set(times)]
}

function marks(
  visits: readonly LineVisit[],
  kind: 'changed' | 'unchanged' | 'other',
  x: (at: UnixSeconds) => number,
): string {
  const long = kind === 'changed' ? 9 : 5
  return visits
    .filter(({ outcome }) => kindOf(outcome) === kind)
    .map(({ at }) => `M${x(at).toFixed(1)} ${rows.visits - long}v${2 * long}`)
    .join('')
}

function kindOf(outcome: Outcome): 'changed' | 'unchanged' | 'other' {
  if (outcome === 'changed') return 'changed'
  return seen.has(outcome) ? 'unchanged' : 'other'
}

function dueMark(x: number): string {
  return `M${x.toFixed(1)} ${rows.visits - 12}l4 6-4 6-4-6z`
}
