import { humanDuration } from '../model/duration.js'
import { hintWeight } from '../model/hint.js'
import type { Moved, PageView, Policy, Posterior } from '../model/policy.js'
import { DAY, type Seconds } from '../model/units.js'
import { flatClock, type WeekClock } from '../numeric/week-clock.js'
import { heldLimits } from '../policies/limits.js'
import {
  changeSignalOf,
  type HintForecast,
  hintForecastOf,
  movedByHints,
  signalWords,
} from './evidence/hint-forecast.js'
import { ownClock, poissonPosterior } from './posterior/posterior.js'
import { longestGivenUp, tooFastReason, valueWords } from './price-reason.js'
import { type BestGap, bestGap } from './value/best-gap.js'
import { type Objective, usualPrices } from './value/objective.js'

export interface AutoPolicyOptions {
  /**
   * What a request costs, in the objective's unit. The budget controller sets
   * it; read anew at every visit. `usualPrices` by default.
   */
  readonly price?: number | (() => number)
  readonly objective?: Objective
  /** How much more this page counts than another; 1 by default. */
  readonly importance?: number
  /** The hours in which the page's group changes; any hour by default. */
  readonly clock?: WeekClock
  readonly minGap?: Seconds
  /** No page waits longer, however low the value of a visit, unless `minGap` is longer still. */
  readonly maxGap?: Seconds
  /** Gaps are moved by up to this share of themselves, at most 45 minutes, so that pages of a site do not come in lockstep. */
  readonly stagger?: number
  /** Whether publishers' hints move visits, as evidence by their reliability; not by default. */
  readonly followsHints?: boolean
}

const longestShift = 45 * 60
/** The gap of a page, and whether it is so because it changes too fast for its copy to be kept fresh. */
interface PageGap extends BestGap {
  isGivenUp: boolean
}

const found: PageGap = { gap: 0, chance: 0, value: 0, isGivenUp: false }

/** What was chosen for a page, with all that it was chosen from. */
interface Chosen extends PageGap {
  view: PageView | null
  at: number
  visits: number
  posterior: Posterior | null | undefined
  price: number
}

/**
 * The default policy: a visit when it has more value than the same request
 * spent elsewhere. Follows what a learner knows of the page, law by law
 * (`PageView.posterior`); with a learner that tells one change period only, it
 * takes changes to be Poisson. Limits hold exactly.
 */
export function autoPolicy(options: AutoPolicyOptions = {}): Policy {
  const { objective = 'freshness', importance = 1, clock = flatClock } = options
  const { minGap, maxGap } = heldLimits(options)
  const { stagger = 0.02, price = usualPrices[objective] } = options
  const going = typeof price === 'number' ? () => price : price

  function choose(view: PageView, adjusted?: HintContext): PageGap {
    const clockOfPage = ownClock(clock, view.posterior)
    const price = going() / importance
    const problem = {
      clock: clockOfPage,
      objective,
      price,
      hintForecast: adjusted?.hintForecast ?? null,
    }
    const posterior = adjusted?.posterior ?? view.posterior ?? poissonPosterior(view.changePeriod)
    const within = { minGap, maxGap }
    bestGap(posterior, { at: view.at, problem, out: found, within })
    // A change signal asks whether to come at once, and not how long to wait.
    const isSignal = adjusted?.hintForecast?.changeSignal !== undefined
    const longest = isSignal ? Infinity : longestGivenUp(found, problem)
    found.isGivenUp = found.gap > minGap && longest < Math.min(found.gap, maxGap)
    if (found.isGivenUp) found.gap = Math.max(minGap, longest)
    if (isNewlyMet(view)) found.gap = Math.round(found.gap * earlyShare(found.gap))
    return found
  }
  const chosen: Chosen = { ...found, view: null, at: 0, visits: 0, posterior: null, price: 0 }
  /** Without hints. Kept for the reason, which is asked for right after the gap. */
  function choosePlain(view: PageView): PageGap {
    const { at, visits, posterior } = view
    return Object.assign(chosen, choose(view), { view, at, visits, posterior, price: going() })
  }
  function chosenFor(view: PageView): PageGap {
    const isSame =
      chosen.view === view &&
      chosen.at === view.at &&
      chosen.visits === view.visits &&
      chosen.posterior === view.posterior &&
      chosen.price === going()
    return isSame ? chosen : choosePlain(view)
  }
  function within(gap: Seconds): Seconds {
    return Math.min(maxGap, Math.max(minGap, gap))
  }
  function moved(view: PageView, gap: Seconds): Moved | null {
    const hintForecast = hintForecastOf(view, { gap })
    const posterior = view.adjusted ?? null
    if (hintForecast === null && posterior === null) return null
    const wanted = choose(view, { hintForecast, posterior }).gap
    const plain = chosenFor(view).gap
    // Moved as the plain gap was, for pages of a site not to come in lockstep.
    const shift = Math.max(-longestShift, Math.min(longestShift, gap - plain))
    const to = within(wanted + shift * Math.min(1, wanted / plain))
    return movedByHints(view, { moved: to, gap })
  }
  function called(
    view: PageView,
    { elapsed, gap }: { elapsed: Seconds; gap: Seconds },
  ): Moved | null {
    const hint = changeSignalOf(view, elapsed)
    if (hint === null || wouldWaste(view, elapsed)) return null
    const changeSignal = { weight: hintWeight(hint), after: elapsed }
    const hintForecast = { listed: 0, cached: 0, cachedFor: 0, changeSignal }
    const wanted = within(choose(view, { hintForecast, posterior: view.adjusted ?? null }).gap)
    return wanted < gap ? { gap: Math.max(wanted, elapsed), why: signalWords(hint) } : null
  }
  return {
    name: 'auto',
    summary:
      'the default: visits where a request has most value, at the price that the budget sets',
    learner: 'auto',
    ...(options.followsHints === true ? { moved, called } : {}),
    ...(options.minGap === undefined ? {} : { minGap: options.minGap }),
    nextGap(view) {
      const { gap } = choosePlain(view)
      const shift = Math.min(stagger * gap, longestShift)
      const moved = stagger > 0 ? gap + shift * (2 * view.random.uniform() - 1) : gap
      return within(moved)
    },
    reason(view, gap) {
      const { chance, value, gap: wanted, isGivenUp } = chosenFor(view)
      if (isNewlyMet(view) && wanted >= minGap && wanted <= maxGap && isEarly(wanted)) {
        const seen = view.visits === 1 ? 'new' : 'new, and changed at each visit so far'
        return `${seen}; visited again after ${humanDuration(gap)}, to learn how often it changes`
      }
      const why = isGivenUp
        ? tooFastReason({ wanted, minGap })
        : valueWords(value, { wanted, maxGap, minGap, objective })
      return `${seenWords(view)}; ${chanceWords(chance, gap)}; ${why}`
    },
  }
}

/** Where the budget allows a visit a day, a new page is visited again after a sixth of that. */
const [firstShare, oftenVisited, seldomVisited] = [1 / 6, DAY, 4 * DAY]

/** Seen once, or a few times and changed each time: how fast it is shows only in shorter gaps. */
function isNewlyMet({ visits, changes }: PageView): boolean {
  return visits <= 3 && changes === visits - 1
}

/**
 * A page that was just met is visited again early: whether it changes by
 * the hour or by the year is found out within hours, for a request or two a page.
 * Where the budget allows a visit every few days only, that would be a large
 * part of it, and the gap stays as it is.
 */
function earlyShare(gap: Seconds): number {
  const seldom = (gap - oftenVisited) / (seldomVisited - oftenVisited)
  return firstShare + (1 - firstShare) * Math.min(1, Math.max(0, seldom))
}

/** Whether a new page's gap was halved at least: of longer gaps a larger share is left. */
function isEarly(gap: Seconds): boolean {
  const halved =
    oftenVisited + ((0.5 - firstShare) / (1 - firstShare)) * (seldomVisited - oftenVisited)
  return gap <= 0.5 * halved
}

/** Whether a visit now, should it find nothing, would be earlier than hints may still waste. */
function wouldWaste({ hints, plannedGap }: PageView, elapsed: Seconds): boolean {
  return plannedGap > 0 && 1 - elapsed / plannedGap > (hints?.allowance ?? 0)
}

interface HintContext {
  readonly hintForecast: HintForecast | null
  readonly posterior: Posterior | null
}

function seenWords(view: PageView): string {
  if (view.visits <= 1) return 'new'
  if (view.changed) return 'changed at the last visit'
  const unchangedRun = view.posterior?.unchangedRun ?? (view.changes === 0 ? view.visits - 1 : 0)
  if (unchangedRun > 1) return `unchanged ${unchangedRun} times`
  return 'unchanged at the last visit'
}

function chanceWords(chance: number, gap: Seconds): string {
  const when = gap < Infinity ? `in ${humanDuration(gap)}` : 'ever'
  if (chance >= 0.9) return `almost surely changed again ${when}`
  if (chance >= 0.5) return `likely to have changed ${when}`
  return `${Math.max(1, Math.round(100 * chance))}% likely to have changed ${when}`
}
