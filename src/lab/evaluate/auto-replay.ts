import type { History, Observation } from '../../model/history.js'
import type { Posterior } from '../../model/policy.js'
import { DAY, type RandomSource, type Seconds } from '../../model/units.js'
import { Random } from '../../numeric/random.js'
import { corrected } from '../../planner/collection/statistics.js'
import { type AutoPolicyOptions, autoPolicy } from '../../planner/policy.js'
import { type AutoLearner, autoLearner } from '../../planner/posterior/learner.js'
import {
  chanceOfChange,
  type GroupChangeLaw,
  posteriorBounds,
} from '../../planner/posterior/posterior.js'
import { newestVisits } from '../../planner/prior/prior-learner.js'
import { begin, PageState, type Planner, proceed } from '../../planner/step.js'
import type { Objective } from '../../planner/value/objective.js'
import { freshShare } from '../../planner/value/planned-page.js'
import { Scores } from '../scores.js'
import { reportsNothing, reportsTruth } from '../visit-loop.js'
import { AutoController, type ControllerOptions } from './auto-controller.js'
import { ReplaySignals } from './change-signals.js'
import type { ReplayCollection } from './collection.js'
import {
  boundsAfter,
  PageCalibration,
  PageReplay,
  type PageScores,
  type RunOptions,
  trueMeanRate,
} from './policy-replay.js'
import { DueQueue, type ReplayedPages, stages } from './replayed-pages.js'

export interface AutoOptions extends RunOptions, ControllerOptions {
  /** Whether pages are visited when a page of their source changed, once that has proved itself; so by default. */
  readonly neighbours?: boolean
  readonly policy?: Partial<AutoPolicyOptions>
  /** One source of chance for all pages, instead of a seeded stream for each. */
  readonly random?: RandomSource
  /** Called at each visit, the first ones among them. */
  readonly onVisit?: (visit: { page: number; at: Seconds; changed: boolean }) => void
}

/** Pieces of a gap that its predicted freshness is summed over. */
const pieces = 8
/** Observations kept of each page, as the crawler reads them back. */
const newest = newestVisits - 1

/**
 * Replays a collection under the default, in order of time, by the very parts
 * that the crawler runs: the page's learner and policy, and once a day the
 * collection's scan with budget controller and prior learner
 * (`AutoController`). Pages of a source are a group and a site. No hindsight.
 */
export function runAuto(
  collection: ReplayCollection,
  options: AutoOptions,
): { readonly scores: PageScores; readonly calibration: readonly PageCalibration[] } {
  const replay = new AutoReplay(collection, options)
  for (let morning = 0; morning < collection.length; morning += DAY) {
    replay.controller.scan(morning)
    replay.visitUntil(morning + DAY)
  }
  return replay
}

export class AutoReplay implements ReplayedPages {
  readonly collection: ReplayCollection
  readonly objective: Objective
  readonly scores: Scores[]
  readonly states: readonly PageState[]
  readonly due: DueQueue
  /** One of `stages` for each page. */
  readonly stage: Uint8Array
  readonly controller: AutoController
  /** What was predicted of each page, beside what came. */
  readonly calibration: readonly PageCalibration[]
  /** The newest observations of each page. */
  readonly observations: Observation[][]
  readonly #options: AutoOptions
  readonly changeSignal: ReplaySignals | null
  readonly #timelines: readonly PageReplay[]
  readonly #seen = { at: 0, gap: 0, changed: false, contentAge: Number.NaN }
  readonly #planners: Planner[]
  readonly #learners: AutoLearner[]

  constructor(collection: ReplayCollection, options: AutoOptions) {
    this.collection = collection
    this.objective = options.objective ?? 'freshness'
    this.#options = options
    const size = collection.ids.length
    this.scores = Array.from({ length: size }, () => new Scores({ notices: true }))
    this.#timelines = collection.ids.map((_, page) => new PageReplay(collection, page))
    this.#learners = collection.sourceNames.map((_, source) =>
      autoLearner({ law: options.lawFor(source) }),
    )
    this.#planners = this.#learners.map((learner) => this.#plannerOf(learner))
    this.states = collection.ids.map(
      (_, page) =>
        new PageState({
          learner: this.learnerOf(page),
          random: options.random ?? Random.stream({ seed: options.seed, index: page }),
        }),
    )
    this.observations = collection.ids.map(() => [])
    this.stage = new Uint8Array(size)
    this.due = new DueQueue(size)
    for (let page = 0; page < size; page++) this.due.set(page, collection.from[page]!)
    this.calibration = collection.ids.map(() => new PageCalibration())
    this.controller = new AutoController(this, options)
    this.changeSignal = options.neighbours === false ? null : new ReplaySignals(this)
  }

  get price(): number {
    return this.controller.price
  }

  learnerOf(page: number): AutoLearner {
    return this.#learners[this.collection.sources[page]!]!
  }

  learnerOfSource(source: number): AutoLearner {
    return this.#learners[source]!
  }

  plannerOf(page: number): Planner {
    return this.#planners[this.collection.sources[page]!]!
  }

  /** Another law for the pages of a source. */
  useLaw(source: number, law: GroupChangeLaw): void {
    this.#learners[source] = autoLearner({ law })
    this.#planners[source] = this.#plannerOf(this.#learners[source]!)
  }

  #plannerOf(learner: AutoLearner): Planner {
    const { objective } = this
    const about = { clock: learner.law.clock, price: () => this.price, objective }
    return { learner, policy: autoPolicy({ ...about, ...this.#options.policy }) }
  }

  /** A page's newest visits, as the crawler would read them back. */
  historyOf(page: number): { readonly history: History; readonly fromFirst: boolean } {
    const observations = this.observations[page]!
    const first = observations[0]!
    return {
      history: { start: { at: first.at - first.gap }, observations },
      fromFirst: this.states[page]!.visits <= newestVisits,
    }
  }

  isCalled(page: number): boolean {
    return this.changeSignal?.isCalled(page) ?? false
  }

  /** All visits before the evening, in order of time. */
  visitUntil(evening: Seconds): void {
    const { due, collection } = this
    for (let page = due.first; page >= 0 && due.at(page) < evening; page = due.first) {
      if (due.at(page) >= collection.until[page]!) this.#end(page)
      else if (this.stage[page] === stages.ahead) this.#begin(page)
      else this.#visit(page)
    }
    // A page whose next visit lies beyond its end is over when that has come.
    for (let page = 0; page < this.stage.length; page++)
      if (this.stage[page] === stages.followed && collection.until[page]! <= evening)
        this.#end(page)
  }

  #begin(page: number): void {
    const at = this.collection.from[page]!
    const state = this.states[page]!
    this.stage[page] = stages.followed
    this.scores[page]!.begin()
    const gap = begin(this.plannerOf(page), state, { at, contentAge: this.#reported(page, at) })
    this.#plan(page, gap)
    this.#options.onVisit?.({ page, at, changed: false })
  }

  #visit(page: number): void {
    const at = this.due.at(page)
    const state = this.states[page]!
    const seen = this.#seen
    const posterior = this.#walk(page, at)
    const chance = chanceOfChange(posterior, this.learnerOf(page).clockGap(state.memory, seen))
    seen.contentAge = this.#reported(page, at)
    const { changed, gap, contentAge } = seen
    this.scores[page]!.visit(changed)
    const lastSeen = state.at
    this.#keep(page, contentAge >= 0 ? { at, gap, changed, contentAge } : { at, gap, changed })
    this.#plan(page, proceed(this.plannerOf(page), state, seen))
    this.changeSignal?.after({ page, at, lastSeen, changed, chance, random: state.random })
    this.#checkBounds(page)
    this.#options.onVisit?.({ page, at, changed })
  }

  #end(page: number): void {
    this.#walk(page, this.collection.until[page]!)
    this.stage[page] = stages.over
    this.due.remove(page)
  }

  #keep(page: number, observation: Observation): void {
    const kept = this.observations[page]!
    kept.push(observation)
    if (kept.length > 2 * newest) kept.splice(0, kept.length - newest)
  }

  #reported(page: number, at: Seconds): Seconds {
    const reported = this.#options.lastModified ? reportsTruth : reportsNothing
    return reported(this.#timelines[page]!, at)
  }

  #plan(page: number, gap: Seconds): void {
    const state = this.states[page]!
    state.plannedGap = gap
    this.due.set(page, state.at + gap)
  }

  /** Scores the stretch from the last visit to `to`; gives the posterior before it. */
  #walk(page: number, to: Seconds): Posterior {
    const timeline = this.#timelines[page]!
    const { at: from, memory } = this.states[page]!
    const learner = this.learnerOf(page)
    this.#seen.at = to
    this.#seen.gap = to - from
    this.#seen.changed = timeline.advance(to)
    const { firstChange, changes } = timeline
    const lateFrom = this.collection.from[page]! + this.#options.warmUp
    this.scores[page]!.stretch({ from, to, firstChange, changes, lateFrom })
    const posterior = learner.posterior(memory)
    const fresh = freshShare(posterior, {
      at: from,
      gap: to - from,
      clock: learner.law.clock,
      pieces,
    })
    this.calibration[page]!.gap({
      length: to - from,
      predictedFresh: (to - from) * corrected(fresh, learner.law.staleRatio ?? 1),
      realisedFresh: Math.min(firstChange, to) - from,
    })
    return posterior
  }

  #checkBounds(page: number): void {
    const { visits, changes, memory } = this.states[page]!
    const observations = visits - 1
    if (!boundsAfter.includes(observations)) return
    const { low, high } = posteriorBounds(this.learnerOf(page).posterior(memory), 0.9, { changes })
    const truth = trueMeanRate(this.collection, page)
    this.calibration[page]!.bounds(observations, { low, high: high ?? Infinity, truth })
  }
}
