import { type Claim, DAY, type Declared, type UnixSeconds } from '../../model/index.js'

/** No hint is taken to be surer than this: one exception must not damn it for ever. */
const unlikely = 0.03
/** Servers give dates to the second, and clocks differ a little. */
const clockSlack = 2
/** STATIC means "very little probability to be changed"; 90 days is how often it is looked at anyway. */
const staticPeriod = 900 * DAY
/** A list looked at in the last quarter of a gap may speak for the gap. */
const lateEnough = 0.25

/** The stretch between two visits of which a hint is to tell something. */
export interface Stretch {
  readonly seenAt: UnixSeconds
  readonly at: UnixSeconds
}

/**
 * The chance of a change between two visits by what a hint says; null where it
 * says nothing of them, `lie` where it cannot be true whatever was seen.
 */
export type Foretold = number | 'lie' | null

/** What a claim that was known before the visit says of the stretch that the visit closes. */
export function foretold(
  claim: Claim,
  { toldAt, seenAt, at }: Stretch & { readonly toldAt: UnixSeconds },
): Foretold {
  if (claim.says === 'changed-at') return fromDate(claim.at, { toldAt, seenAt, at })
  if (claim.says === 'fresh-for') return at <= toldAt + claim.duration ? unlikely : null
  return fromPeriod(claim.declared, at - seenAt)
}

/**
 * What the Last-Modified of this very visit says of the stretch. It lies if it
 * is in the future or went backwards; if it stood still it says "unchanged",
 * which is wrong where the text changed.
 */
export function foretoldByLastModified(
  { now, before }: { readonly now: UnixSeconds; readonly before: UnixSeconds | null },
  { seenAt, at }: Stretch,
): Foretold {
  if (now > at + clockSlack) return 'lie'
  if (before !== null && now < before - clockSlack) return 'lie'
  const moved = before === null ? now > seenAt : now > before + clockSlack
  return moved ? 1 - unlikely : unlikely
}

/** A date of a list; midnight sharp stands for a whole day, as sitemaps write it. */
function fromDate(
  date: UnixSeconds,
  { toldAt, seenAt, at }: Stretch & { readonly toldAt: UnixSeconds },
): Foretold {
  if (date > toldAt + clockSlack + (date % DAY === 0 ? DAY : 0)) return 'lie'
  if (date > seenAt) return 1 - unlikely
  if (date % DAY === 0 && date + DAY > seenAt) return null
  const late = toldAt > seenAt && at - toldAt <= lateEnough * (at - seenAt)
  return late ? unlikely : null
}

/** Changes at random at the declared pace: 1 - exp(-gap / period). */
function fromPeriod(declared: Declared, gap: number): Foretold {
  const period = declared.kind === 'static' ? staticPeriod : declared.period
  if (period === null || !(period > 0)) return null
  return Math.min(1 - unlikely, Math.max(unlikely, -Math.expm1(-gap / period)))
}
