import {
  type Claim,
  type Declared,
  type HintKind,
  type HintRating,
  type HintTally,
  type HostHints,
  hintKinds,
  type KeptHint,
  noTally,
  type PageHints,
} from './hint.js'
import { type Json, YEAR } from './units.js'

/** As an array: a million pages keep a few each. What guessing goes by is left out while it is the same. */
function tallyJson({ predicted, right, changed, lead, recent }: HintTally): Json {
  const four = [predicted, right, changed, Math.round(lead * 1e4) / 1e4]
  return recent === undefined ? four : [...four, recent.predicted, recent.changed]
}

/**
 * A tally from a row. Rows from before visits were counted in full hold what
 * guessing went by, with halves in it: counting goes on from there.
 */
function tallyFrom(json: Json | undefined): HintTally {
  if (!Array.isArray(json)) return noTally
  const [predicted, right, changed, lead, newer = predicted, found = changed] =
    json as readonly Json[]
  const recent = { predicted: amount(newer), changed: Math.min(amount(newer), amount(found)) }
  const count = Math.round(amount(predicted))
  const tally = {
    predicted: count,
    right: Math.min(count, Math.round(amount(right))),
    changed: Math.min(count, Math.round(amount(changed))),
    lead: typeof lead === 'number' && Number.isFinite(lead) ? lead : 0,
  }
  const same = recent.predicted === tally.predicted && recent.changed === tally.changed
  return same ? tally : { ...tally, recent }
}

/** A count or a sum of them; 0 for anything else. */
function amount(json: Json | undefined): number {
  return typeof json === 'number' && json >= 0 && json < 1e9 ? json : 0
}

export const noHints: PageHints = { kinds: {}, wasted: 0, early: false }
export const noHostHints: HostHints = { tallies: {}, polled: {} }

/** Hosts with more sitemaps than this forget when the oldest was polled. */
const mostPolled = 100
const longest = 100 * YEAR

/**
 * A page's hints from its row. Anything that is not ours is left out: a row may be years old.
 * Rows of 0.1 have toldAt, worth and calmUntil, and in hosts looked and news: they are read too.
 */
export function pageHintsFrom(json: Json): PageHints {
  const { kinds, wasted, early } = fields(json)
  const kept: Partial<Record<HintKind, KeptHint>> = {}
  for (const kind of hintKinds) {
    const hint = keptFrom(fields(kinds)[kind])
    if (hint !== null) kept[kind] = hint
  }
  return { kinds: kept, wasted: amount(wasted), early: early === true }
}

export function pageHintsJson({ kinds, wasted, early }: PageHints): Json {
  const kept: Record<string, Json> = {}
  for (const kind of hintKinds) {
    const hint = kinds[kind]
    if (hint === undefined) continue
    const { claim, reportedAt, source, tally, rating, unchangedUntil } = hint
    kept[kind] = {
      claim: claim as unknown as Json,
      reportedAt,
      ...(source === null ? {} : { source }),
      tally: tallyJson(tally),
      ...(rating === undefined ? {} : { rating: ratingJson(rating) }),
      ...(unchangedUntil === undefined ? {} : { unchangedUntil }),
    }
  }
  return {
    kinds: kept,
    ...(wasted > 0 ? { wasted } : {}),
    ...(early ? { early } : {}),
  }
}

export function hostHintsFrom(json: Json | undefined): HostHints {
  const { tallies, polled = fields(json).looked, changeSignal = fields(json).news } = fields(json)
  const kept: Partial<Record<HintKind, HintTally>> = {}
  for (const kind of hintKinds) {
    const reported = fields(tallies)[kind]
    if (reported !== undefined) kept[kind] = tallyFrom(reported)
  }
  const times = Object.entries(fields(polled)).filter(([, at]) => Number.isFinite(at))
  const hints = { tallies: kept, polled: Object.fromEntries(times) as Record<string, number> }
  return changeSignal === undefined ? hints : { ...hints, changeSignal }
}

export function hostHintsJson({ tallies, polled, changeSignal }: HostHints): Json {
  const newest = Object.entries(polled)
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostPolled)
  const kept = Object.entries(tallies).map(([kind, tally]) => [kind, tallyJson(tally)] as const)
  const hints = { tallies: Object.fromEntries(kept), polled: Object.fromEntries(newest) }
  return changeSignal === undefined ? hints : { ...hints, changeSignal }
}

function keptFrom(json: Json | undefined): KeptHint | null {
  const kept = fields(json)
  const { claim, source, tally } = kept
  const { reportedAt = kept.toldAt, rating = kept.worth, unchangedUntil = kept.calmUntil } = kept
  if (typeof reportedAt !== 'number' || !Number.isFinite(reportedAt)) return null
  const known = ratingFrom(rating)
  return {
    ...(known === null ? {} : { rating: known }),
    ...(typeof unchangedUntil === 'number' && Number.isFinite(unchangedUntil)
      ? { unchangedUntil }
      : {}),
    claim: claimFrom(claim),
    reportedAt,
    source: typeof source === 'string' ? source : null,
    tally: tallyFrom(tally),
  }
}

/** A claim that can be reckoned with; null for any other. */
function claimFrom(json: Json | undefined): Claim | null {
  const { says, at, duration, declared } = fields(json)
  if (says === 'changed-at' && typeof at === 'number' && Math.abs(at) < 1e12) return { says, at }
  if (says === 'fresh-for' && typeof duration === 'number' && duration > 0)
    return { says, duration: Math.min(duration, longest) }
  const reported = says === 'declared' ? declaredFrom(declared) : null
  return reported === null ? null : { says: 'declared', declared: reported }
}

function declaredFrom(json: Json | undefined): Declared | null {
  const { kind, period } = fields(json)
  if (kind === 'static') return { kind }
  const known = typeof period === 'number' && period > 0 ? Math.min(period, longest) : null
  if (kind === 'nonuniform') return { kind, period: known }
  return kind === 'periodic' && known !== null ? { kind, period: known } : null
}

function ratingJson({ reliability, trusted, polledAt }: HintRating): Json {
  const two = [Math.round(reliability * 1e4) / 1e4, trusted ? 1 : 0]
  return polledAt === undefined ? two : [...two, polledAt]
}

function ratingFrom(json: Json | undefined): HintRating | null {
  if (!Array.isArray(json)) return null
  const [reliability, trusted, polledAt] = json as readonly Json[]
  if (typeof reliability !== 'number' || !(reliability >= 0 && reliability <= 1)) return null
  const polled = typeof polledAt === 'number' && Number.isFinite(polledAt) ? { polledAt } : {}
  return { reliability, trusted: trusted === 1, ...polled }
}

function fields(json: Json | undefined): { readonly [name: string]: Json | undefined } {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? (json as { readonly [name: string]: Json })
    : {}
}
