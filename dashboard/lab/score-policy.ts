import { stretchForBudget } from '../../src/lab/evaluate/policy-replay.js'
import { Scores } from '../../src/lab/scores.js'
import { tellsNothing, tellsTruth, visitPage } from '../../src/lab/visit-loop.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { autoPolicy } from '../../src/planner/policy.js'
import { learnerNamed, policyOf } from '../../src/planner/registry.js'
import { type Mind, PageState } from '../../src/planner/step.js'
import { fixed } from '../../src/policies/fixed-and-random.js'
import type { LabRun, PolicyRow } from './lab-run.js'
import type { Stage } from './truth-process.js'

/** A policy may ask for ever shorter gaps; after so many visits a page is left. */
const mostVisits = 20_000

/** A policy with the learner it follows. */
export function mindOf(spec: string): Mind {
  const policy = policyOf(spec)
  return { policy, learner: policy.learner === null ? null : learnerNamed(policy.learner) }
}

interface Visited {
  readonly scores: Scores
  readonly cutShort: boolean
}

/** Lets a policy visit every page, and as many visits at equal gaps beside it. */
export function scorePolicy(spec: string, run: LabRun, stage: Stage): PolicyRow {
  const { visitsPerDay } = run
  const mine =
    visitsPerDay === null
      ? { ...visitAll(mindOf(spec), run, stage), offBudget: false }
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
  const mind = mindOf(spec)
  const trials = new Map<readonly Scores[], Visited>()
  const days = (stage.until - stage.from) / DAY
  const { stretch, scores } = stretchForBudget(
    (factor) => {
      const visited =
        mind.policy.name === 'auto'
          ? visitAll(pricedMind(mind, factor), run, stage)
          : visitAll(mind, run, stage, factor)
      const scores = [visited.scores]
      trials.set(scores, visited)
      return scores
    },
    { allowed: run.visitsPerDay * days * stage.pages },
  )
  return { ...trials.get(scores)!, offBudget: stretch === null }
}

/** Gaps grow with the root of the price where changes are at random. */
function pricedMind({ learner }: Mind, factor: number): Mind {
  return { policy: autoPolicy({ price: 6 * HOUR * factor ** 2 }), learner }
}

function visitAll(
  mind: Mind,
  { seed, tellsContentAge }: LabRun,
  { processes, from, until }: Stage,
  stretch = 1,
): Visited {
  const scores = new Scores()
  let cutShort = false
  for (const [index, process] of processes.entries()) {
    // Each page has its own changes, the same for every policy.
    const timeline = process.timeline({ from, random: Random.stream({ seed, index }) })
    const random = Random.stream({ seed: seed + 1, index })
    const state = new PageState({ learner: mind.learner, random })
    const contentAge = tellsContentAge ? tellsTruth : tellsNothing
    const loop = { timeline, from, until, contentAge, stretch, maxVisits: mostVisits }
    if (!visitPage(mind, state, scores, loop)) cutShort = true
  }
  return { scores, cutShort }
}
