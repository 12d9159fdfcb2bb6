import {
  type Claim,
  type Declared,
  type Hint,
  type HintKind,
  type HintRating,
  type HintsView,
  type HintTally,
  type HostHints,
  hintKinds,
  type KeptHint,
  noTally,
  type PageHints,
  type WeighedHint,
} from '../model/hint.js'
import type { Observation } from '../model/history.js'
import { noHints, noHostHints } from '../model/stored-hints.js'
import type { UnixSeconds } from '../model/units.js'
import { allowanceOf } from '../planner/evidence/hint-forecast.js'
import {
  type HintPrediction,
  isOneWay,
  isTrusted,
  judged,
  predicted,
  predictedByLastModified,
  reliabilityOf,
} from './reliability.js'

/** Reported with each whole answer: what a new one leaves out is no longer claimed. */
const withContent: ReadonlySet<HintKind> = new Set(['meta', 'last-modified', 'cache'])

/** A visit that saw the page, as far as hints are concerned. */
export interface HintedVisit {
  readonly at: UnixSeconds
  /** Null where there is nothing to compare with. */
  readonly observation: Observation | null
  /** What the answer reported of its page. */
  readonly reported: readonly Hint[]
  /** Whether the answer was whole, or only said "not modified". */
  readonly whole: boolean
  /** The gap that the policy had asked for; 0 where unknown. */
  readonly plannedGap: number
}

export interface HintState {
  readonly page: PageHints
  readonly host: HostHints
}

/**
 * What is known of a page's hints, and its host's, after one more visit: the
 * old claims are held against what was seen, then the new ones are taken up.
 * Pure; O(kinds).
 */
export function updatedHints(
  { page, host }: { readonly page?: PageHints; readonly host?: HostHints },
  visit: HintedVisit,
): HintState {
  const before = page ?? noHints
  const tallies: Partial<Record<HintKind, HintTally>> = { ...host?.tallies }
  const kinds: Partial<Record<HintKind, KeptHint>> = {}
  for (const kind of hintKinds) {
    const kept = before.kinds[kind]
    const claim = visit.reported.find((each) => each.kind === kind)?.claim
    if (kept === undefined && claim === undefined) continue
    const prediction = predictionOf({ kind, kept, claim }, { host: host ?? noHostHints, visit })
    const changed = visit.observation?.changed ?? false
    if (prediction !== null) tallies[kind] = judged(tallies[kind] ?? noTally, prediction, changed)
    kinds[kind] = {
      ...renewed({ kind, kept, claim }, visit),
      tally: judged(kept?.tally ?? noTally, prediction, changed),
    }
  }
  const wasted = before.wasted + wasteOf(before, visit)
  const after = { ...host, tallies, polled: host?.polled ?? {} }
  for (const kind of hintKinds) {
    const kept = kinds[kind]
    if (kept !== undefined) kinds[kind] = { ...kept, rating: ratingOf({ kind, kept }, after) }
  }
  return { page: { kinds, wasted, early: false }, host: after }
}

interface HintUpdate {
  readonly kind: HintKind
  readonly kept: KeptHint | undefined
  /** What this visit's answer reported. */
  readonly claim: Claim | undefined
}

function predictionOf(
  { kind, kept, claim }: HintUpdate,
  { host, visit }: { readonly host: HostHints; readonly visit: HintedVisit },
): HintPrediction {
  const { observation } = visit
  if (observation === null) return null
  const stretch = { seenAt: observation.at - observation.gap, at: observation.at }
  if (kind === 'last-modified') {
    if (claim?.says !== 'changed-at') return null
    const before = kept?.claim?.says === 'changed-at' ? kept.claim.at : null
    return predictedByLastModified({ now: claim.at, before }, stretch)
  }
  if (kept === undefined || kept.claim === null) return null
  return predicted(kept.claim, { ...stretch, reportedAt: polledAt(kept, host) })
}

/** Up to when a claim speaks: its list may have been polled since, and had nothing new. */
function polledAt({ source, reportedAt }: KeptHint, host: HostHints): UnixSeconds {
  return source === null ? reportedAt : Math.max(reportedAt, host.polled[source] ?? reportedAt)
}

/** What is kept of a claim from now on: the new one, the old one, or that it is no longer reported. */
function renewed({ kind, kept, claim }: HintUpdate, visit: HintedVisit): Omit<KeptHint, 'tally'> {
  if (claim !== undefined) return { claim, reportedAt: visit.at, source: null }
  const dropped = visit.whole && withContent.has(kind)
  const { claim: before = null, reportedAt = visit.at, source = null } = kept ?? {}
  return { claim: dropped ? null : before, reportedAt, source }
}

/** A visit made early on a hint that found nothing was early by this share of its gap. */
function wasteOf(before: PageHints, { observation, plannedGap }: HintedVisit): number {
  if (!before.early || observation === null || observation.changed) return 0
  return plannedGap > observation.gap && plannedGap < Infinity
    ? 1 - observation.gap / plannedGap
    : 0
}

/** What a policy may know of the hints of a page that has been seen so often. */
export function hintsView({ page, host }: HintState, { visits }: { visits: number }): HintsView {
  return { reported: weighedHints({ page, host }), allowance: allowanceOf(page, { visits }) }
}

/** The hints that a page has now, with their reliability. */
export function weighedHints({ page, host }: HintState): readonly WeighedHint[] {
  return hintKinds.flatMap((kind) => {
    const kept = page.kinds[kind]
    if (kept === undefined || kept.claim === null) return []
    const { claim, reportedAt, tally } = kept
    return [{ kind, claim, reportedAt, tally, ...ratingOf({ kind, kept }, host) }]
  })
}

function ratingOf({ kind, kept }: { kind: HintKind; kept: KeptHint }, host: HostHints): HintRating {
  const { tally, claim, source } = kept
  const others = host.tallies[kind]
  const reliability = reliabilityOf(tally, others)
  const trusted = claim !== null && isTrusted(tally, others, { oneWay: isOneWay(claim) })
  if (source === null) return { reliability, trusted }
  return { reliability, trusted, polledAt: polledAt(kept, host) }
}

/** What a page declares by its Change-Frequency tag, trusted or not. */
export function declaredIn({ kinds }: PageHints): Declared | null {
  const claim = kinds.meta?.claim
  return claim?.says === 'declared' ? claim.declared : null
}
