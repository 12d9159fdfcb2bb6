import type { PageRecord } from '../../model/page.js'
import type { Posterior } from '../../model/policy.js'
import { DAY, type RandomSource, type Seconds, type UnixSeconds } from '../../model/units.js'
import { freshAtGap, type Listed, type Stretch } from '../value/planned-page.js'

/** In seconds, by a policy of a page's own; one that is due at once is not visited all the time. */
export const shortestOwnGap = 1
/** The same by the default, which waits longer: a shorter one is a visit called for, which passes. */
const shortestGap = 60

/** What statistics need of a page's record. */
export type CountedRecord = Pick<
  PageRecord,
  'lastSeen' | 'due' | 'failing' | 'gone' | 'lastVisit' | 'importance'
>

/** A page as a scan of the collection meets it. */
export interface CountedPage {
  readonly page: CountedRecord
  /** Visits that were compared with the one before: first and failed ones are no spending. */
  readonly comparisons: number
  /** Whether it has a policy of its own, and does not follow the default. */
  readonly own?: boolean
  /** The longest gap that a person guaranteed this page; left out or null where nobody did. */
  readonly guaranteed?: number | null
  readonly now: UnixSeconds
}

/** What is known of a page that follows the default, for how fresh its copy should be. */
export interface PredictedPage {
  readonly page: CountedRecord
  readonly posterior: Posterior
  readonly clock: Stretch['clock']
  /** How many times as much of its time is stale as predicted, by its group's record; 1 by default. */
  readonly staleRatio?: number
  /** A list that reports its changes; left out or null where there is none. */
  readonly listed?: Listed | null
  /** Chance that a list is right that reports a change since it was seen; left out or 0 where none does. */
  readonly changeSignal?: number
  /** The value of a fresh copy: the page's importance by default. */
  readonly importance?: number
}

/**
 * How a collection stands: the visits made and those that are planned, and how
 * fresh that should leave the copies.
 * A page is added in microseconds; nothing of it is kept.
 */
export class CollectionStatistics {
  /** Pages that follow the default, and those of them without a guarantee of their own. */
  pages = 0
  free = 0
  /** Pages with a guarantee or a policy of their own, and the visits a second that these ask for. */
  guaranteed = 0
  reserved = 0
  /** Visits a second that the running gaps of pages that follow the default come to, beyond guarantees. */
  planned = 0
  /** Comparisons, with the share of the running gaps that has passed. */
  spent = 0
  comparisons = 0
  #fresh = 0
  #weight = 0

  /** Counts a page and its visits. */
  add({ page, comparisons, own = false, guaranteed = null, now }: CountedPage): void {
    const { lastSeen, due } = page
    this.spent += comparisons
    this.comparisons += comparisons
    if (isOutOfReach(page)) return
    if (own) {
      this.guaranteed++
      this.reserved += ownRate(page)
      return
    }
    this.pages++
    if (guaranteed === null) this.free++
    else {
      this.guaranteed++
      this.reserved += 1 / guaranteed
    }
    const gap = runningGap(page)
    if (gap === null || lastSeen === null || due.at === 'never') return
    // Pages that began at once would seem to spend nothing until all are due.
    const share = Math.min(1, Math.max(0, (now - lastSeen) / gap))
    this.spent += comparisons > 0 ? share - 0.5 : share
    this.planned += plannedRate({ running: gap, guaranteed })
  }

  /** Adds how fresh the copy of a page should be in its running gap. */
  predict(predicted: PredictedPage): void {
    const { page, posterior, clock, staleRatio = 1, listed = null, changeSignal = 0 } = predicted
    const { importance = page.importance } = predicted
    const gap = runningGap(page)
    if (gap === null || isOutOfReach(page)) return
    const plain = freshAtGap({ posterior, at: page.lastSeen!, clock, listed }, gap)
    // A scan meets a page that waits, or is known to have changed, as often as that lasts.
    this.#fresh += importance * (1 - changeSignal) * corrected(plain, staleRatio)
    this.#weight += importance
  }

  /** Share of copies that should be fresh, weighted by importance; null before any was made. */
  get freshness(): number | null {
    return this.#weight > 0 ? this.#fresh / this.#weight : null
  }
}

/** Visits a second of a page in a gap, beyond what it was guaranteed; 0 where it is in none. */
function plannedRate(page: {
  readonly running?: number | null
  readonly guaranteed?: number | null
}): number {
  const { running = null, guaranteed = null } = page
  if (running === null) return 0
  return Math.max(0, 1 / running - (guaranteed === null ? 0 : 1 / guaranteed))
}

/** Predicted freshness as the record of a page's group corrects it; between 0 and 1. */
export function corrected(freshness: number, staleRatio: number): number {
  return Math.min(1, Math.max(0, 1 - staleRatio * (1 - freshness)))
}

/** A page that fails, is refused or is gone comes back by rules of its own, whatever its policy. */
export function isOutOfReach({ failing, gone }: Pick<PageRecord, 'failing' | 'gone'>): boolean {
  return failing > 0 || gone > 0
}

/** Visits a second of a page with a policy of its own. */
function ownRate({ lastVisit, due }: CountedRecord): number {
  if (lastVisit === null || due.at === 'never') return 0
  return 1 / Math.max(shortestOwnGap, due.at - lastVisit.at)
}

/** The gap that a page is in; null where no visit is planned or none was made. */
export function runningGap(
  { lastSeen, due }: Pick<PageRecord, 'lastSeen' | 'due'>,
  { shortest = shortestGap }: { readonly shortest?: number } = {},
): number | null {
  if (lastSeen === null || due.at === 'never') return null
  return Math.max(shortest, Math.min(400 * DAY, due.at - lastSeen))
}

/** Pages that a price is worked out on. */
const sampleSize = 300
/** The prior is learned anew once there are half as many comparisons again. */
const growth = 1.5
const fewestComparisons = 20
/** Visits that are planned anew are moved where they fall another tenth of the gap away: hours of the day matter. */
const usualApart = 0.1

/** Of so many pages every which one is in the sample. */
export function sampleStride(pages: number): number {
  return Math.max(1, Math.ceil(pages / sampleSize))
}

/** Whether the prior is to be learned anew, where it was learned from so many comparisons before. */
export function isTimeToLearn(comparisons: number, learnedFrom: number): boolean {
  return comparisons >= Math.max(fewestComparisons, growth * learnedFrom)
}

/** A page that waits for its next visit. */
export interface WaitingPage {
  readonly lastSeen: UnixSeconds
  /** The gap that it is in. */
  readonly gap: Seconds
  readonly now: UnixSeconds
}

/** Whether a visit that is wanted at another time than planned is worth moving. */
export function isElsewhere(
  wanted: UnixSeconds,
  { lastSeen, gap, now, apart = usualApart }: WaitingPage & { readonly apart?: number },
): boolean {
  return Math.abs(Math.max(now, wanted) - lastSeen - gap) > apart * gap
}

/** When a visit is made that was wanted at a time: one overdue waits for a moment of its own, of the day or of its gap. */
export function notAllAtOnce(
  wanted: UnixSeconds,
  {
    lastSeen,
    now,
    random,
  }: Pick<WaitingPage, 'lastSeen' | 'now'> & { readonly random: RandomSource },
): UnixSeconds {
  if (wanted > now) return wanted
  return now + Math.round(random.uniform() * Math.min(DAY, wanted - lastSeen))
}
