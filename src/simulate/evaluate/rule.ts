import { type Mind, PageState } from '../../engine/index.js'
import type { Seconds } from '../../model/index.js'
import { Random } from '../../numeric/index.js'
import { Scores } from '../scores.js'
import { tellsNothing, tellsTruth, visitPage } from '../visit-loop.js'
import type { ReplayCollection } from './collection.js'
import { PageReplay } from './page-replay.js'

export interface RunOptions {
  readonly seed: number
  /** Scores count as late from so long after a page appears. */
  readonly warmUp: Seconds
  /** Whether pages tell their true Last-Modified; not unless said. */
  readonly lastModified?: boolean
}

/** The scores of every page, in the collection's order. */
export type PageScores = readonly Scores[]

/** How a page is thought about; by its source, so that nothing is judged on what it was fitted on. */
export type MindFor = (source: number) => Mind

/** Visits every page by its own rule, each gap made `stretch` times as long. */
export function runRule(
  collection: ReplayCollection,
  mindFor: MindFor,
  options: RunOptions & { stretch: number },
): PageScores {
  const states = new Map<Mind, PageState>()
  return collection.ids.map((_, page) => {
    const mind = mindFor(collection.sources[page]!)
    const state = stateOf(mind, states, options.seed + page)
    const scores = new Scores()
    visitPage(mind, state, scores, {
      timeline: new PageReplay(collection, page),
      from: collection.from[page]!,
      until: collection.until[page]!,
      stretch: options.stretch,
      warmUp: options.warmUp,
      contentAge: options.lastModified ? tellsTruth : tellsNothing,
    })
    return scores
  })
}

/** One state serves all pages of a mind that draws no random numbers; others get their own seed. */
function stateOf(mind: Mind, states: Map<Mind, PageState>, seed: number): PageState {
  if (mind.policy.name.startsWith('random'))
    return new PageState({ learner: mind.learner, random: new Random(seed) })
  const known =
    states.get(mind) ?? new PageState({ learner: mind.learner, random: new Random(seed) })
  states.set(mind, known)
  return known
}

/** Visits that a budget of visits a page and day allows, beyond each page's first. */
export function visitsAllowed(
  collection: ReplayCollection,
  { perDay }: { perDay: number },
): number {
  let days = 0
  for (let page = 0; page < collection.ids.length; page++)
    days += (collection.until[page]! - collection.from[page]!) / 86_400
  return days * perDay
}

export function visitsUsed(scores: PageScores): number {
  return scores.reduce((total, each) => total + each.visits - each.firstVisits, 0)
}
