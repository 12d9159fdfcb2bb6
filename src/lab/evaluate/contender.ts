import { OptionError } from '../../model/errors.js'
import type { Declared } from '../../model/hint.js'
import { DAY, type Seconds, WEEK } from '../../model/units.js'
import type { Planner } from '../../planner/step.js'
import type { Allocation } from '../../policies/allocation/allocation.js'
import { Scores } from '../scores.js'
import { type RateEstimates, runAllocated, type Share } from './allocation-replay.js'
import type { ReplayCollection } from './collection.js'
import {
  type PageCalibration,
  type PageScores,
  type RunOptions,
  runRule,
  stretchForBudget,
  visitsAllowed,
} from './policy-replay.js'

/**
 * The bound that no policy can pass: it knows every change beforehand and
 * spends each visit right after the change that is followed by the longest
 * unchanged time, over all pages. O(changes log changes).
 */
export function clairvoyant(
  collection: ReplayCollection,
  options: { allowed: number; warmUp: Seconds },
): PageScores {
  const { offsets, times, until, from } = collection
  const unchanged = new Float64Array(times.length)
  for (let page = 0; page < from.length; page++) {
    for (let i = offsets[page]!; i < offsets[page + 1]!; i++) {
      unchanged[i] = (i + 1 < offsets[page + 1]! ? times[i + 1]! : until[page]!) - times[i]!
    }
  }
  const chosen = longest(unchanged, Math.floor(options.allowed))
  return collection.ids.map((_, page) =>
    scoreOf(collection, page, { chosen, warmUp: options.warmUp }),
  )
}

/** Marks the `count` largest values. */
function longest(values: Float64Array, count: number): Uint8Array {
  const order = Uint32Array.from(values, (_, i) => i).sort(
    (a, b) => values[b]! - values[a]! || a - b,
  )
  const marks = new Uint8Array(values.length)
  for (let i = 0; i < Math.min(count, order.length); i++) marks[order[i]!] = 1
  return marks
}

function scoreOf(
  collection: ReplayCollection,
  page: number,
  options: { chosen: Uint8Array; warmUp: Seconds },
): Scores {
  const scores = new Scores({ notices: true })
  const lateFrom = collection.from[page]! + options.warmUp
  scores.begin()
  let from = collection.from[page]!
  let firstChange = Infinity
  let changes = 0
  for (let i = collection.offsets[page]!; i < collection.offsets[page + 1]!; i++) {
    const at = collection.times[i]!
    firstChange = Math.min(firstChange, at)
    changes++
    if (options.chosen[i] === 0) continue
    scores.stretch({ from, to: at, firstChange, changes, lateFrom })
    scores.visit(true)
    from = at
    firstChange = Infinity
    changes = 0
  }
  scores.stretch({ from, to: collection.until[page]!, firstChange, changes, lateFrom })
  return scores
}

/** What a contender is given: the pages, the budget, and how to run. */
export interface Trial {
  readonly collection: ReplayCollection
  /** Visits a page and day, beyond the first. */
  readonly perDay: number
  readonly run: RunOptions
}

export interface Outcome {
  readonly scores: PageScores
  /** The multiplier chosen in hindsight; null where the contender keeps a budget by itself, or none was found. */
  readonly stretch: number | null
  /** What was predicted of each page, in the collection's order; left out by contenders that predict nothing. */
  readonly calibration?: readonly PageCalibration[]
}

/** One way to spend a budget of visits on a collection. */
export interface Contender {
  readonly name: string
  readonly summary: string
  /** `rule`: scaled in hindsight; `budget`: keeps it; `knows`: was given what nobody knows. */
  readonly kind: 'rule' | 'budget' | 'knows'
  compete(trial: Trial): Outcome
}

/** A policy that knows no budget; `plannerFor` may differ by source, so that nothing fitted is judged at home. */
export function ruleContender(about: {
  name: string
  summary: string
  kind?: Contender['kind']
  plannerFor: (trial: Trial) => (source: number) => Planner
  declaredFor?: (trial: Trial) => (page: number) => Declared | null
}): Contender {
  return {
    name: about.name,
    summary: about.summary,
    kind: about.kind ?? 'rule',
    compete(trial) {
      const { collection, perDay } = trial
      const plannerFor = about.plannerFor(trial)
      const declaredFor = about.declaredFor?.(trial)
      const allowed = visitsAllowed(collection, { perDay })
      // A run that spends twice what is allowed is over budget: no need to see its end.
      const maxVisits = 2 * allowed + 2 * collection.ids.length
      const run = (stretch: number) =>
        runRule(collection, plannerFor, {
          ...trial.run,
          stretch,
          maxVisits,
          ...(declaredFor && { declaredFor }),
        })
      return stretchForBudget(run, { allowed })
    },
  }
}

/** Visits shared out over the collection each day. */
export function budgetContender(about: {
  name: string
  summary: string
  kind?: Contender['kind']
  allocation: Allocation
  rateEstimatesFor: (trial: Trial) => RateEstimates
}): Contender {
  const share: Share = ({ changeRates }, budget) =>
    about.allocation.allocate({ changeRates }, { budget }).visitRates
  return sharingContender({
    ...about,
    sharingFor: (trial) => ({ share, rateEstimates: about.rateEstimatesFor(trial) }),
  })
}

/** The same by any way to share visits out. */
export function sharingContender(about: {
  name: string
  summary: string
  kind?: Contender['kind']
  sharingFor: (trial: Trial) => { readonly share: Share; readonly rateEstimates: RateEstimates }
}): Contender {
  return {
    name: about.name,
    summary: about.summary,
    kind: about.kind ?? 'budget',
    compete(trial) {
      const { collection, perDay, run } = trial
      if (!(perDay > 0))
        throw new OptionError(
          'bad-budget',
          'a budget must be a positive number of visits a page and day',
        )
      const { share, rateEstimates } = about.sharingFor(trial)
      return {
        scores: runAllocated(collection, { ...run, perDay, share, rateEstimates }),
        stretch: null,
      }
    },
  }
}

export const clairvoyantContender: Contender = {
  name: 'clairvoyant',
  summary:
    'visits right after the changes that are followed by the longest unchanged time: the bound',
  kind: 'knows',
  compete: ({ collection, perDay, run }) => ({
    scores: clairvoyant(collection, {
      allowed: visitsAllowed(collection, { perDay }),
      warmUp: run.warmUp,
    }),
    stretch: null,
  }),
}

/**
 * What an honest publisher would declare by Hattab's rule: changes counted by
 * week; none at all is static, the same count every week periodic, else
 * nonuniform with the last count. Days between changes are what we read the
 * number as, max(1, round(7 / count)).
 */
export function declaredByPublisher(collection: ReplayCollection, page: number): Declared {
  const { offsets, times, from, until } = collection
  const weeks = Math.max(1, Math.floor((until[page]! - from[page]!) / WEEK))
  const counts = new Uint32Array(weeks)
  for (let i = offsets[page]!; i < offsets[page + 1]!; i++) {
    counts[Math.min(weeks - 1, Math.floor((times[i]! - from[page]!) / WEEK))]!++
  }
  if (counts.every((count) => count === 0)) return { kind: 'static' }
  const last = counts.findLast((count) => count > 0)!
  const period = Math.max(1, Math.round(7 / last)) * DAY
  return counts.every((count) => count === counts[0])
    ? { kind: 'periodic', period }
    : { kind: 'nonuniform', period }
}
