import { humanDuration } from '../../model/duration.js'
import {
  type Hint,
  type HintsView,
  hintKinds,
  hintWeight,
  type PageHints,
  type WeighedHint,
} from '../../model/hint.js'
import { clockSlack } from '../../model/history.js'
import type { Moved, PageView } from '../../model/policy.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'

/** Share of a page's visits that may be wasted on hints, and one of its first twenty. */
const wasteAllowed = 0.05

/** How much of a visit may still be wasted on a page's hints, where it has been seen so often. */
export function allowanceOf({ wasted }: PageHints, { visits }: { visits: number }): number {
  return Math.max(0, Math.max(1, wasteAllowed * visits) - wasted)
}

/** What a policy may know of a page's hints from its row alone, as its host's hints stood at the last visit. */
export function keptView(page: PageHints, { visits }: { visits: number }): HintsView {
  const reported = hintKinds.flatMap((kind) => {
    const kept = page.kinds[kind]
    if (kept === undefined || kept.claim === null || kept.rating === undefined) return []
    const { claim, reportedAt, tally, rating } = kept
    return [{ kind, claim, reportedAt, tally, ...rating }]
  })
  return { reported, allowance: allowanceOf(page, { visits }) }
}

const sources: Readonly<Record<Hint['kind'], string>> = {
  meta: 'its Change-Frequency tag',
  sitemap: 'its sitemap',
  changefreq: "its sitemap's changefreq",
  feed: 'its feed',
  'last-modified': 'its Last-Modified',
  cache: 'its cache lifetime',
}

/** A hint as a person says it: `its sitemap says when it changes`. */
export function hintWords({ kind, claim }: Hint): string {
  return `${sources[kind]} says ${claimWords(claim)}`
}

function claimWords(claim: Hint['claim']): string {
  if (claim.says === 'changed-at') return 'when it changes'
  if (claim.says === 'fresh-for') return `it stays for ${humanDuration(claim.duration)}`
  const { declared } = claim
  if (declared.kind === 'static') return 'it does not change'
  if (declared.period === null) return 'it has no steady rate'
  return declared.kind === 'periodic'
    ? `it changes every ${humanDuration(Math.max(1, declared.period))}`
    : `it changes next in ${humanDuration(declared.period)}`
}

/** What publishers' hints say of the time after a visit. Weights are chances that they are right. */
export interface HintForecast {
  /** Of a list that is polled and would tell of a change. */
  readonly listed: number
  /** Of a cache's lifetime, which has so long to go. */
  readonly cached: number
  readonly cachedFor: Seconds
  /** Of a signal that the page has changed, so long after the visit; left out where there is none. */
  readonly changeSignal?: { readonly weight: number; readonly after: Seconds }
}

/** A list counts that was polled within this share of the gap before the visit: it will be again. */
const often = 0.5
/** No list or cache counts for more than this. */
const most = 0.97
/** Only a list this sure is waited for: what proved right by chance would leave pages unseen. */
const sureList = 0.8
/** No signal is surer than this. */
const sure = 0.97

/** What hints say of the time after a visit; null where they say nothing that counts. */
export function hintForecastOf(
  { hints, at }: Pick<PageView, 'hints' | 'at'>,
  { gap }: { gap: Seconds },
): HintForecast | null {
  let [listed, cached, cachedFor] = [0, 0, 0]
  for (const hint of hints?.reported ?? []) {
    if (!hint.trusted) continue
    const weight = Math.min(most, hintWeight(hint))
    if (weight >= sureList && isWatchful(hint, { at, gap })) listed = Math.max(listed, weight)
    const left = hint.claim.says === 'fresh-for' ? hint.reportedAt + hint.claim.duration - at : 0
    if (left > 0 && weight > cached) [cached, cachedFor] = [weight, left]
  }
  return listed > 0 || cached > 0 ? { listed, cached, cachedFor } : null
}

/** The date of a list that is followed, and that tells of no change we have not seen. */
function isWatchful(
  { kind, claim, polledAt }: WeighedHint,
  { at, gap }: { at: number; gap: Seconds },
): boolean {
  if (claim.says !== 'changed-at' || kind === 'last-modified' || polledAt === undefined)
    return false
  return claim.at <= at && at - polledAt <= often * gap
}

/**
 * Chance that the copy is still fresh, where `plain` is what the posterior alone
 * gives, and `later` what it gives for the time after a cache's lifetime.
 *
 * A list that knows of all changes and tells of none: the copy is fresh. One
 * that knows nothing tells of none either; the longer it is silent where a
 * change was likely, the likelier it knows nothing. By Bayes' rule that is
 * plain / (weight x plain + 1 - weight).
 */
export function freshByForecast(
  { listed, cached }: HintForecast,
  { plain, later }: { plain: number; later: number },
): number {
  const spared = cached * later + (1 - cached) * plain
  const silent = listed * spared + 1 - listed
  return silent > 0 ? spared / silent : spared
}

/** Chance that the copy is still fresh just when a change is signalled, where it would be `plain` without. */
export function freshAfterSignal(weight: number, plain: number): number {
  return weight * Math.min(plain, 1 - sure) + (1 - weight) * plain
}

/** Chance that a copy is still fresh, where `plain` is what the posterior alone gives, by all that hints tell. */
export function freshGivenHints(
  view: Pick<PageView, 'hints' | 'at'>,
  { elapsed, plain, gap }: { elapsed: Seconds; plain: number; gap: Seconds },
): number {
  const changeSignal = changeSignalOf(view, elapsed)
  if (changeSignal !== null) return freshAfterSignal(hintWeight(changeSignal), plain)
  const hintForecast = hintForecastOf(view, { gap })
  if (hintForecast === null) return plain
  const later = elapsed <= hintForecast.cachedFor ? 1 : plain
  return freshByForecast(hintForecast, { plain, later })
}

/** Whether a list says that a page changed after it was seen, and its date is not ahead of the clock. */
export function tellsOfChange(
  { claim, kind }: WeighedHint,
  { since, now }: { readonly since: UnixSeconds; readonly now: UnixSeconds },
): boolean {
  if (claim.says !== 'changed-at' || kind === 'last-modified') return false
  return claim.at > since && claim.at <= now + clockSlack
}

/** The signal of a list that counts for less makes no visit. */
const enough = 0.5

/** The most reliable list that tells of a change since the visit; null where none does. */
export function changeSignalOf(
  { hints, at }: Pick<PageView, 'hints' | 'at'>,
  elapsed: Seconds,
): WeighedHint | null {
  let found: WeighedHint | null = null
  for (const hint of hints?.reported ?? []) {
    if (!tellsOfChange(hint, { since: at, now: at + elapsed }) || hintWeight(hint) < enough)
      continue
    if (found === null || hint.reliability > found.reliability) found = hint
  }
  return found
}

/** Smaller moves are not worth a word. */
const noticeable = 0.01

/** A gap moved by a hint, with the reason; null where the move is none to speak of. */
export function movedBy(
  hint: WeighedHint,
  { moved, gap }: { readonly moved: Seconds; readonly gap: Seconds },
): Moved | null {
  if (Math.abs(moved / gap - 1) < noticeable) return null
  const way = moved < gap ? 'earlier' : 'later'
  const why = `${humanDuration(moved)} instead of ${humanDuration(gap)}, ${way}, since ${hintWords(hint)} (${recordWords(hint)})`
  return { gap: moved, why }
}

/** The same by all hints together: the one that counts most is named. */
export function movedByHints(
  { hints }: Pick<PageView, 'hints'>,
  move: { moved: Seconds; gap: Seconds },
): Moved | null {
  const candidates = (hints?.reported ?? []).filter(({ kind }) => kind !== 'last-modified')
  if (candidates.length === 0) return null
  return movedBy(
    candidates.reduce((a, b) => (hintWeight(b) > hintWeight(a) ? b : a)),
    move,
  )
}

export function signalWords(hint: WeighedHint): string {
  return `its ${hint.kind} says that it changed (${recordWords(hint)} here)`
}

function recordWords({ tally }: WeighedHint): string {
  return `right ${Math.round(tally.right)} of ${Math.round(tally.predicted)} times`
}
