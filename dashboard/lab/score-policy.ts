import { type Mind, PageState } from '../../src/engine/index.js'
import { learnerNamed } from '../../src/estimate/index.js'
import { DAY } from '../../src/model/index.js'
import { Random } from '../../src/numeric/index.js'
import { fixed, policyOf } from '../../src/schedule/index.js'
import { Scores, tellsNothing, tellsTruth, visitPage } from '../../src/simulate/index.js'
import type { LabRun, PolicyRow } from './lab-run.js'
import type { Stage } from './truth-process.js'

/** A policy may ask for ever shorter gaps; after so many visits a page is left. */
const mostVisits = 20_000

/** A policy with the learner it follows. */
export function mindOf(spec: string): Mind {
  const policy = policyOf(spec)
  return { policy, learner: policy.learner === null ? null : learnerNamed(policy.learner) }
}

/** Lets a policy visit every page, and as many visits at equal gaps beside it. */
export function scorePolicy(spec: string, run: LabRun, stage: Stage): PolicyRow {
  const mine = visitAll(mindOf(spec), run, stage)
  const duration = stage.until - stage.from
  const perPage = mine.scores.visits / stage.pages
  const even = visitAll({ policy: fixed({ gap: duration / perPage }), learner: null }, run, stage)
  const { scores } = mine
  const repeated = Math.max(1, scores.visits - scores.firstVisits)
  return {
    policy: spec,
    freshness: scores.freshness,
    copyAge: scores.copyAge,
    visitsPerDay: (scores.visits / stage.pages / duration) * DAY,
    caughtShare: scores.caughtShare,
    needlessShare: scores.needless / repeated,
    fixedFreshness: even.scores.freshness,
    cutShort: mine.cutShort,
  }
}

function visitAll(
  mind: Mind,
  { seed, tellsContentAge }: LabRun,
  { process, from, until, pages }: Stage,
): { scores: Scores; cutShort: boolean } {
  const scores = new Scores()
  let cutShort = false
  for (let index = 0; index < pages; index++) {
    // Each page has its own changes, the same for every policy.
    const timeline = process.timeline({ from, random: Random.stream({ seed, index }) })
    const random = Random.stream({ seed: seed + 1, index })
    const state = new PageState({ learner: mind.learner, random })
    const contentAge = tellsContentAge ? tellsTruth : tellsNothing
    const loop = { timeline, from, until, contentAge, maxVisits: mostVisits }
    if (!visitPage(mind, state, scores, loop)) cutShort = true
  }
  return { scores, cutShort }
}
