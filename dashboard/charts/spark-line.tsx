import type { Outcome } from '../../src/model/history.js'
import type { UnixSeconds } from '../../src/model/units.js'

/** A page's last visits as pairs: when, and how it ended. */
export type Spark = readonly (readonly [at: UnixSeconds, outcome: Outcome])[]

const width = 132
const height = 20

/** A page's last visits in a row of a table: a tall mark is a change, a short one none. */
export function SparkLine({ visits }: { visits: Spark | undefined }) {
  if (visits === undefined || visits.length === 0)
    return <svg class="spark" width={width} height={height} aria-hidden="true" />
  const from = visits[0]![0]
  const span = Math.max(1, visits[visits.length - 1]![0] - from)
  const x = (at: UnixSeconds) => (2 + ((at - from) / span) * (width - 4)).toFixed(1)
  const path = (wanted: (outcome: Outcome) => boolean, long: number) =>
    visits
      .filter(([, outcome]) => wanted(outcome))
      .map(([at]) => `M${x(at)} ${16 - long}v${long}`)
      .join('')
  const changes = visits.filter(([, outcome]) => outcome === 'changed').length
  const label = `${changes} changes in the last ${visits.length} visits`
  return (
    <svg class="spark" width={width} height={height} role="img" aria-label={label}>
      <path d={`M0 16.5H${width}`} class="stroke-rule" />
      <path
        d={path((each) => each === 'unchanged' || each === 'first', 5)}
        class="mark-unchanged"
      />
      <path d={path((each) => !/changed|first/.test(each), 5)} class="mark-other" />
      <path d={path((each) => each === 'changed', 14)} class="mark-changed" />
    </svg>
  )
}
