import {
  type Claim,
  type Declared,
  type HintTally,
  noTally,
  type RecentVisits,
  staticPeriod,
} from '../model/hint.js'
import { clockSlack } from '../model/history.js'
import { DAY, type UnixSeconds } from '../model/units.js'

/** No hint is taken to be surer than this: one exception must not damn it for ever. */
const unlikely = 0.03
/** A list polled in the last quarter of a gap may speak for the gap. */
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
export type HintPrediction = number | 'lie' | null

/** What a claim that was known before the visit says of the stretch that the visit closes. */
export function predicted(
  claim: Claim,
  { reportedAt, seenAt, at }: Stretch & { readonly reportedAt: UnixSeconds },
): HintPrediction {
  if (claim.says === 'changed-at') return fromDate(claim.at, { reportedAt, seenAt, at })
  if (claim.says === 'fresh-for') return at <= reportedAt + claim.duration ? unlikely : null
  return fromPeriod(claim.declared, at - seenAt)
}

/**
 * What the Last-Modified of this very visit says of the stretch. It lies if it
 * is in the future or went backwards; if it stood still it says "unchanged",
 * which is wrong where the text changed.
 */
export function predictedByLastModified(
  { now, before }: { readonly now: UnixSeconds; readonly before: UnixSeconds | null },
  { seenAt, at }: Stretch,
): HintPrediction {
  if (now > at + clockSlack) return 'lie'
  if (before !== null && now < before - clockSlack) return 'lie'
  const moved = before === null ? now > seenAt : now > before + clockSlack
  return moved ? 1 - unlikely : unlikely
}

/** A date of a list; midnight sharp stands for a whole day, as sitemaps write it. */
function fromDate(
  date: UnixSeconds,
  { reportedAt, seenAt, at }: Stretch & { readonly reportedAt: UnixSeconds },
): HintPrediction {
  if (date > reportedAt + clockSlack + (date % DAY === 0 ? DAY : 0)) return 'lie'
  if (date > seenAt) return 1 - unlikely
  if (date % DAY === 0 && date + DAY > seenAt) return null
  const late = reportedAt > seenAt && at - reportedAt <= lateEnough * (at - seenAt)
  return late ? unlikely : null
}

/** Changes at random at the declared rate: 1 - exp(-gap / period). */
function fromPeriod(declared: Declared, gap: number): HintPrediction {
  const period = declared.kind === 'static' ? staticPeriod : declared.period
  if (period === null || !(period > 0)) return null
  return Math.min(1 - unlikely, Math.max(unlikely, -Math.expm1(-gap / period)))
}

/** One visit gains a hint at most a factor of e, and costs it at most e squared: trust is lost faster. */
const most = { gain: 1, loss: -2 }
/** So far ahead that two lies bring it down, and so far behind that it takes a while to come back. */
const bounds = { ahead: 4, behind: -6 }
/** Guessing is no surer than hints are: else one that is followed, and so always right, would lose its lead. */
const surest = 0.03
/** What guessing goes by is the newer past. */
const remembered = 64
/** The share of a host's lead that a page of it starts with. */
const inherited = 0.35
/** Below this a hint is not followed. */
const enough = 0.75
/** Visits before a hints is trusted: of its page, or of its host. */
const proof = { page: 5, host: 10 }
/** Visits among those that found a change, and that found none. */
const eachWay = 2
/** A hint that met one outcome only never leads by more than 1.5: with this lead it has met both. */
const shown = 2

/**
 * A tally after one more visit. Each visit asks whether the hint made what was
 * seen likelier than guessing from how many visits found a change so far
 * (Krichevsky & Trofimov's half counts), and `lead` adds up the logarithms.
 * Counting hits alone would praise a date that is stuck on a page that rarely
 * changes. What is guessed from forgets; what people are shown is counted in
 * full. O(1), six numbers at most.
 */
export function judged(before: HintTally, prediction: HintPrediction, changed: boolean): HintTally {
  if (prediction === null) return before
  const chance = prediction === 'lie' ? null : changed ? prediction : 1 - prediction
  const past = recentOf(before)
  const guess = clamp((past.changed + 0.5) / (past.predicted + 1), surest, 1 - surest)
  const step =
    chance === null ? most.loss : Math.log(chance) - Math.log(changed ? guess : 1 - guess)
  const kept = past.predicted >= remembered ? 0.5 : 1
  const found = changed ? 1 : 0
  const recent = { predicted: past.predicted * kept + 1, changed: past.changed * kept + found }
  const after = {
    predicted: before.predicted + 1,
    right: before.right + (chance !== null && chance >= 0.5 ? 1 : 0),
    changed: before.changed + found,
    lead: clamp(before.lead + clamp(step, most.loss, most.gain), bounds.behind, bounds.ahead),
  }
  const same = recent.predicted === after.predicted && recent.changed === after.changed
  return same ? after : { ...after, recent }
}

/** What guessing goes by. */
function recentOf({ recent, predicted, changed }: HintTally): RecentVisits {
  return recent ?? { predicted, changed }
}

/**
 * The chance that a hint tells more than guessing, with even odds to begin
 * with and part of what is known of its host: 1 / (1 + exp(-lead)).
 */
export function reliabilityOf(page: HintTally, host: HintTally = noTally): number {
  return 1 / (1 + Math.exp(-page.lead - inherited * host.lead))
}

/**
 * Whether a hint is to be followed: reliable, and put to the test both ways. On
 * visits that all found a change, a hint that always says "changed" cannot be
 * told from a good one. One that can only ever say "unchanged" makes no visit
 * more, and need not be.
 */
export function isTrusted(
  page: HintTally,
  host: HintTally = noTally,
  { oneWay = false }: { readonly oneWay?: boolean } = {},
): boolean {
  const tested = (tally: HintTally, visits: number) => {
    const { predicted, changed } = recentOf(tally)
    const bothWays = changed >= eachWay && predicted - changed >= eachWay
    return predicted >= visits && (oneWay || tally.lead >= shown || bothWays)
  }
  const proven = tested(page, proof.page) || tested(host, proof.host)
  return proven && reliabilityOf(page, host) >= enough
}

/** Whether a claim can only say that nothing changed. */
export function isOneWay(claim: Claim): boolean {
  return (
    claim.says === 'fresh-for' || (claim.says === 'declared' && claim.declared.kind === 'static')
  )
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
