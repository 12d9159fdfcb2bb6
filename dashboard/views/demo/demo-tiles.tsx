import { percent } from '../../../src/model/units.js'
import type { DemoAnswer } from '../../../src/server/collection/demo.js'
import { Tile } from '../../parts/tile.js'

/** How fresh the demo's copies are: measured first, then what was predicted without knowing it. */
export function DemoTiles({ demo }: { demo: DemoAnswer | null }) {
  return (
    <>
      <MeasuredTile demo={demo} />
      <PredictedTile demo={demo} />
    </>
  )
}

function MeasuredTile({ demo }: { demo: DemoAnswer | null }) {
  const name = 'Fresh, measured'
  if (demo === null) return <Tile name={name} value="–" note="being measured" />
  if (demo.visits === 0)
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

/** What the visits alone lead to expect, with what was true at the same moments. */
function PredictedTile({ demo }: { demo: DemoAnswer | null }) {
  const name = 'Predicted from visits alone'
  if (demo === null) return <Tile name={name} value="–" note="being measured" />
  if (demo.learning || demo.predicted === null)
    return <Tile name={name} value="–" note="still learning: too early to tell" />
  const { share, measured } = demo.predicted
  const truth = `${percent(measured)} measured at the same moments of the last day`
  return <Tile name={name} value={percent(share)} note={truth} />
}
