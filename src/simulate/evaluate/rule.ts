import { type Mind, PageState } from '../../engine/index.js'
import type { Declared, Seconds } from '../../model/index.js'
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

export interface RuleOptions extends RunOptions {
  /** Every gap is made so many times as long. */
  readonly stretch: number
  /** Stops, with the pages not reached left out, once this many visits were made. */
  readonly maxVisits?: number
  /** What a page's publisher declares; nothing unless said. */
  readonly declaredFor?: (page: number) => Declared | null
}

/** Visits every page by its own rule. */
export function runRule(
  collection: ReplayCollection,
  mindFor: MindFor,
  options: RuleOptions,
): PageScores {
  const all: Scores[] = []
  let left = options.maxVisits ?? Infinity
  for (let page = 0; page < collection.ids.length && left > 0; page++) {
    const mind = mindFor(collection.sources[page]!)
    const random = Random.stream({ seed: options.seed, index: page })
    const state = new PageState({ learner: mind.learner, random })
    state.declared = options.declaredFor?.(page) ?? null
    const scores = new Scores({ notices: true })
    visitPage(mind, state, scores, {
      timeline: new PageReplay(collection, page),
      from: collection.from[page]!,
      until: collection.until[page]!,
      stretch: options.stretch,
      warmUp: options.warmUp,
      contentAge: options.lastModified ? tellsTruth : tellsNothing,
      maxVisits: left,
    })
    all.push(scores)
    left -= scores.visits
  }
  return all
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
