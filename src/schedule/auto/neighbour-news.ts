import type { Seconds } from '../../model/index.js'

/** How often a page was found changed soon after a page of its site was, in three numbers. */
export interface NewsTally {
  /** Visits made soon after such news. */
  readonly visits: number
  readonly changed: number
  /** Those that were to be expected changed without the news. */
  readonly expected: number
}

export const noNews: NewsTally = { visits: 0, changed: 0, expected: 0 }

/** Old visits count less and less. */
const remembered = 400
/** Fewer visits prove nothing. */
const proof = 20
/** Standard errors between what was seen and the bound that is believed. */
const caution = 2

/** A visit that followed news of a neighbour, with the chance of a change believed before the news. */
export function heardNews(
  before: NewsTally,
  { changed, chance }: { readonly changed: boolean; readonly chance: number },
): NewsTally {
  const kept = before.visits >= remembered ? 0.5 : 1
  return {
    visits: before.visits * kept + 1,
    changed: before.changed * kept + (changed ? 1 : 0),
    expected: before.expected * kept + chance,
  }
}

/**
 * How much news of a neighbour adds to the chance that a page has changed: the
 * share beyond what was expected anyway, less two standard errors (the half
 * counts keep those from vanishing); 0 until twenty visits have told.
 */
export function newsLift({ visits, changed, expected }: NewsTally): number {
  if (visits < proof) return 0
  const share = (changed + 0.5) / (visits + 1)
  const error = Math.sqrt((share * (1 - share)) / visits)
  return Math.max(0, changed / visits - expected / visits - caution * error)
}

/**
 * Whether a page is worth a visit of its own now that a neighbour changed: what
 * the news adds to the chance of a stale copy, times the time for which a new
 * one would be fresh before the visit that is planned anyway, against the price
 * of a request (seconds of freshness). A page that changes daily is soon stale
 * again, however long its plan. The plan stays; the visit is one more, and
 * counts in the budget.
 */
export function worthNewsVisit(
  tally: NewsTally,
  about: {
    readonly untilDue: Seconds
    /** How long a copy taken now should stay fresh in that time; asked for only where it decides. */
    readonly freshTime: () => Seconds
    readonly price: number
  },
): boolean {
  const lift = newsLift(tally)
  return lift * about.untilDue > about.price && lift * about.freshTime() > about.price
}
