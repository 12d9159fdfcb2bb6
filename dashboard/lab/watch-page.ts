import type { Estimator } from '../../src/model/estimate.js'
import type { History, Observation } from '../../src/model/history.js'
import type { UnixSeconds } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { plannerOf, rateEstimator } from '../../src/planner/registry.js'
import { firstStep, type Step, step } from '../../src/planner/step.js'
import type { LabPoint, LabRun } from './lab-run.js'
import type { Stage } from './truth-process.js'

const mostVisits = 2000
/** Points of the picture: closer together at the beginning, where estimates move. */
const mostPoints = 120

/** What a policy sees of the first page, as the planner would: step by step. */
export function watchedHistory(run: LabRun, { process, from, until }: Stage): History {
  const planner = plannerOf(run.watchedBy)
  const timeline = process.timeline({ from, random: Random.stream({ seed: run.seed, index: 0 }) })
  const random = Random.stream({ seed: run.seed + 1, index: 0 })
  const ageAt = (at: UnixSeconds) =>
    run.reportsContentAge ? { contentAge: at - timeline.lastChange } : {}
  const start = { at: from, ...ageAt(from) }
  const observations: Observation[] = []
  let now: Step = firstStep(planner, start, random)
  let before = from
  while (observations.length < mostVisits && now.due.at !== 'never' && now.due.at <= until) {
    const { at } = now.due
    const changed = timeline.advance(at)
    const observation = { at, gap: at - before, changed, ...ageAt(at) }
    observations.push(observation)
    now = step(planner, now.state, observation)
    before = at
  }
  return { start, observations }
}

/** The estimates after each of some counts of visits, one by one as they are made. */
export function* convergence(run: LabRun, history: History): Generator<LabPoint> {
  const estimators = run.estimators.map(rateEstimator)
  for (const count of countsUpTo(history.observations.length))
    yield pointAt(history, { count, estimators })
}

function pointAt(
  { start, observations }: History,
  { count, estimators }: { count: number; estimators: readonly Estimator[] },
): LabPoint {
  const seen = { start, observations: observations.slice(0, count) }
  return {
    visits: count + 1,
    at: observations[count - 1]!.at,
    estimates: estimators.map((estimator) => {
      const { changePeriod, verdict } = estimator.estimate(seen)
      return { estimator: estimator.name, changePeriod, verdict }
    }),
  }
}

/** At most so many counts from 1 up to all, closer together at the beginning. */
export function countsUpTo(all: number, most: number = mostPoints): number[] {
  if (all <= most) return Array.from({ length: all }, (_, i) => i + 1)
  const spaced = Array.from({ length: most }, (_, i) => Math.round(all * ((i + 1) / most) ** 1.7))
  return [...new Set(spaced.filter((count) => count > 0))]
}
