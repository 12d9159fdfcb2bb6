import { stretchForBudget } from '../../src/lab/evaluate/policy-replay.js'
import { Scores } from '../../src/lab/scores.js'
import { reportsNothing, reportsTruth, visitPage } from '../../src/lab/visit-loop.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { autoPolicy } from '../../src/planner/policy.js'
import { plannerOf } from '../../src/planner/registry.js'
import { PageState, type Planner } from '../../src/planner/step.js'
import { fixed } from '../../src/policies/fixed-and-random.js'
import type { LabRun, PolicyRow } from './lab-run.js'
import type { Stage } from './truth-process.js'

/** A policy may ask for ever shorter gaps; after so many visits a page is left. */
const mostVisits = 20_000

interface Visited {
  readonly scores: Scores
  readonly cutShort: boolean
}

/** Lets a policy visit every page, and as many visits at equal gaps beside it. */
export function scorePolicy(spec: string, run: LabRun, stage: Stage): PolicyRow {
  const { visitsPerDay } = run
  const mine =
    visitsPerDay === null
      ? { ...visitAll(plannerOf(spec), run, stage), offBudget: false }
      : atVisits(spec, { ...run, visitsPerDay }, stage)
  const duration = stage.until - stage.from
  const perPage = mine.scores.visits / stage.pages
  const even = visitAll({ policy: fixed({ gap: duration / perPage }), learner: null }, run, stage)
  const { scores } = mine
  const repeated = Math.max(1, scores.visits - scores.firstVisits)
  return {
    policy: spec,
    freshness: scores.freshness,
    copyAge: scores.copyAge,
    visitsPerDay: (repeated / stage.pages / duration) * DAY,
    caughtShare: scores.caughtShare,
    needlessShare: scores.needless / repeated,
    fixedFreshness: even.scores.freshness,
    offBudget: mine.offBudget,
    cutShort: mine.cutShort,
  }
}

/**
 * The same with as many visits for each policy, first ones left out: the
 * default by its price of a request, the others by one factor on all gaps.
 * Either is found afterwards, so that each has its best case.
 */
function atVisits(
  spec: string,
  run: LabRun & { readonly visitsPerDay: number },
  stage: Stage,
): Visited & { readonly offBudget: boolean } {
  const planner = plannerOf(spec)
  const trials = new Map<readonly Scores[], Visited>()
  const days = (stage.until - stage.from) / DAY
  const { stretch, scores } = stretchForBudget(
    (factor) => {
      const visited =
        planner.policy.name === 'auto'
          ? visitAll(pricedPlanner(planner, factor), run, stage)
          : visitAll(planner, run, stage, factor)
      const scores = [visited.scores]
      trials.set(scores, visited)
      return scores
    },
    { allowed: run.visitsPerDay * days * stage.pages },
  )
  return { ...trials.get(scores)!, offBudget: stretch === null }
}

/** Gaps grow with the root of the price where changes are at random. */
function pricedPlanner({ learner }: Planner, factor: number): Planner {
  return { policy: autoPolicy({ price: 6 * HOUR * factor ** 2 }), learner }
}

function visitAll(
  planner: Planner,
  { seed, reportsContentAge }: LabRun,
  { processes, from, until }: Stage,
  stretch = 1,
): Visited {
  const scores = new Scores()
  let cutShort = false
  for (const [index, process] of processes.entries()) {
    // Each page has its own changes, the same for every policy.
    const timeline = process.timeline({ from, random: Random.stream({ seed, index }) })
    const random = Random.stream({ seed: seed + 1, index })
    const state = new PageState({ learner: planner.learner, random })
    const contentAge = reportsContentAge ? reportsTruth : reportsNothing
    const loop = { timeline, from, until, contentAge, stretch, maxVisits: mostVisits }
    if (!visitPage(planner, state, scores, loop)) cutShort = true
  }
  return { scores, cutShort }
}
