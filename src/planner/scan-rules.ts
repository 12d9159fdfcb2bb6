import { DAY, type RandomSource, type Seconds, type UnixSeconds } from '../model/index.js'

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
export interface Waiting {
  readonly lastSeen: UnixSeconds
  /** The gap that it is in. */
  readonly gap: Seconds
  readonly now: UnixSeconds
}

/** Whether a visit that is wanted at another time than planned is worth moving. */
export function isElsewhere(
  wanted: UnixSeconds,
  { lastSeen, gap, now, apart = usualApart }: Waiting & { readonly apart?: number },
): boolean {
  return Math.abs(Math.max(now, wanted) - lastSeen - gap) > apart * gap
}

/** When a visit is made that was wanted at a time: one overdue waits for a moment of its own, of the day or of its gap. */
export function notAllAtOnce(
  wanted: UnixSeconds,
  { lastSeen, now, random }: Pick<Waiting, 'lastSeen' | 'now'> & { readonly random: RandomSource },
): UnixSeconds {
  if (wanted > now) return wanted
  return now + Math.round(random.uniform() * Math.min(DAY, wanted - lastSeen))
}
