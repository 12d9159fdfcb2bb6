import { type EmpiricalPrior, empiricalPrior, logGrid } from 'revisit/estimators'
import { DAY, type History, HOUR, type RecordedChanges } from 'revisit/model'
import { Random } from 'revisit/numeric'

/** The paper's fixed refresh is not told; once a day. */
const samplingGap = DAY
export const changesWaitedFor = 25

/** Wide cells, so that a few thousand pages fill them. */
const sampledGrid = logGrid({ shortest: 3 * HOUR, longest: 4000 * DAY, nodes: 42 })

/** Figure 3: pages of known periods, each sampled daily until 25 changes were seen. */
export function sampledLaw(changePeriods: Float64Array, seed: number): EmpiricalPrior {
  function* histories(): Generator<History> {
    const random = new Random(seed)
    for (const period of changePeriods)
      yield sampledPage(random, -Math.expm1(-samplingGap / period))
  }
  return empiricalPrior(histories(), { changes: changesWaitedFor, grid: sampledGrid })
}

function sampledPage(random: Random, chance: number): History {
  const observations = []
  for (let seen = 0, at = samplingGap; seen < changesWaitedFor; at += samplingGap) {
    const changed = random.uniform() < chance
    observations.push({ at, gap: samplingGap, changed })
    if (changed) seen++
  }
  return { start: { at: 0 }, observations }
}

/** The same on real pages: daily visits to the recorded changes, for as long as the record goes. */
export function sampledRealLaw(histories: readonly RecordedChanges[]): EmpiricalPrior {
  function* visited(): Generator<History> {
    for (const history of histories) yield dailyVisits(history)
  }
  return empiricalPrior(visited(), { changes: changesWaitedFor, grid: sampledGrid })
}

function dailyVisits({ from, until, changes }: RecordedChanges): History {
  const observations = []
  let next = 0
  for (let at = from + samplingGap; at <= until; at += samplingGap) {
    const before = next
    while (next < changes.length && changes[next]! <= at) next++
    observations.push({ at, gap: samplingGap, changed: next > before })
  }
  return { start: { at: from }, observations }
}
