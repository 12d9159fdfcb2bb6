import type { OverviewAnswer } from '../../api/answers.js'
import { Tile } from '../../parts/tile.js'
import { percent } from '../../parts/words.js'
import type { DemoAnswer } from './demo-answer.js'

/** How fresh the demo's copies are: measured first, then what was predicted without knowing it. */
export function DemoTiles({
  overview,
  demo,
}: {
  overview: OverviewAnswer
  demo: DemoAnswer | null
}) {
  return (
    <>
      <MeasuredTile demo={demo} />
      <PredictedTile overview={overview} demo={demo} />
    </>
  )
}

function MeasuredTile({ demo }: { demo: DemoAnswer | null }) {
  const name = 'Fresh, measured'
  if (demo === null || demo.visits === 0)
    return <Tile name={name} value="–" note="learning, day 1: no copy was made yet" />
  const { revisit, fixedSchedule } = demo.freshness
  const fixed = `a fixed schedule with as many requests: ${percent(fixedSchedule, { digits: 1 })}`
  return (
    <Tile
      name={name}
      value={percent(revisit, { digits: 1 })}
      note={demo.learning ? `learning, day ${demo.day}; ${fixed}` : fixed}
    />
  )
}

/** What the visits alone lead to expect, by a few samples of the last day, with the truth beside it. */
function PredictedTile({ overview, demo }: { overview: OverviewAnswer; demo: DemoAnswer | null }) {
  const predicted = predictedIn(overview)
  const name = 'Predicted from visits alone'
  if (predicted === null)
    return <Tile name={name} value="–" note="known once pages have been visited a few times" />
  if (demo?.learning !== false)
    return <Tile name={name} value="–" note="still learning: too early to tell" />
  const last = demo.byDay.at(-1)
  const day = last === undefined ? '' : `, ${percent(last.revisit)} in the last full day`
  const truth = `measured: ${percent(demo.freshNow)} now${day}`
  return <Tile name={name} value={percent(predicted)} note={truth} />
}

/** The predicted share of copies that are fresh, the mean of about a day; null before there is one. */
export function predictedIn({ forecast }: OverviewAnswer): number | null {
  return forecast?.foretold ?? forecast?.freshness ?? null
}
