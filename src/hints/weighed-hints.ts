import {
  type Claim,
  type Declared,
  type Hint,
  type HintKind,
  type HintsView,
  type HintTally,
  type HintWorth,
  type HostHints,
  hintKinds,
  type KeptHint,
  type PageHints,
  type WeighedHint,
} from '../model/hint.js'
import type { Observation } from '../model/history.js'
import type { UnixSeconds } from '../model/units.js'
import {
  type Foretold,
  foretold,
  foretoldByLastModified,
  isBelieved,
  isOneWay,
  judged,
  noTally,
  reliabilityOf,
} from './reliability.js'
import { noHints, noHostHints } from './stored-hints.js'

/** Share of a page's visits that may be wasted on hints, and one of its first twenty. */
const wasteAllowed = 0.05
/** Told with each whole answer: what a new one leaves out is no longer said. */
const withContent: ReadonlySet<HintKind> = new Set(['meta', 'last-modified', 'cache'])

/** A visit that saw the page, as far as hints are concerned. */
export interface HintedVisit {
  readonly at: UnixSeconds
  /** Null where there is nothing to compare with. */
  readonly observation: Observation | null
  /** What the answer told of its page. */
  readonly told: readonly Hint[]
  /** Whether the answer was whole, or only said "not modified". */
  readonly whole: boolean
  /** The gap that the policy had asked for; 0 where unknown. */
  readonly plannedGap: number
}

export interface Heard {
  readonly page: PageHints
  readonly host: HostHints
}

/**
 * What is known of a page's hints, and its host's, after one more visit: the
 * old claims are held against what was seen, then the new ones are taken up.
 * Pure; O(kinds).
 */
export function heardHints(
  { page, host }: { readonly page?: PageHints; readonly host?: HostHints },
  visit: HintedVisit,
): Heard {
  const before = page ?? noHints
  const tallies: Partial<Record<HintKind, HintTally>> = { ...host?.tallies }
  const kinds: Partial<Record<HintKind, KeptHint>> = {}
  for (const kind of hintKinds) {
    const kept = before.kinds[kind]
    const claim = visit.told.find((each) => each.kind === kind)?.claim
    if (kept === undefined && claim === undefined) continue
    const said = saidOf({ kind, kept, claim }, { host: host ?? noHostHints, visit })
    const changed = visit.observation?.changed ?? false
    if (said !== null) tallies[kind] = judged(tallies[kind] ?? noTally, said, changed)
    kinds[kind] = {
      ...renewed({ kind, kept, claim }, visit),
      tally: judged(kept?.tally ?? noTally, said, changed),
    }
  }
  const wasted = before.wasted + wasteOf(before, visit)
  const after = { ...host, tallies, looked: host?.looked ?? {} }
  for (const kind of hintKinds) {
    const kept = kinds[kind]
    if (kept !== undefined) kinds[kind] = { ...kept, worth: worthOf({ kind, kept }, after) }
  }
  return { page: { kinds, wasted, early: false }, host: after }
}

interface Spoken {
  readonly kind: HintKind
  readonly kept: KeptHint | undefined
  /** What this visit's answer told. */
  readonly claim: Claim | undefined
}

function saidOf(
  { kind, kept, claim }: Spoken,
  { host, visit }: { readonly host: HostHints; readonly visit: HintedVisit },
): Foretold {
  const { observation } = visit
  if (observation === null) return null
  const stretch = { seenAt: observation.at - observation.gap, at: observation.at }
  if (kind === 'last-modified') {
    if (claim?.says !== 'changed-at') return null
    const before = kept?.claim?.says === 'changed-at' ? kept.claim.at : null
    return foretoldByLastModified({ now: claim.at, before }, stretch)
  }
  if (kept === undefined || kept.claim === null) return null
  return foretold(kept.claim, { ...stretch, toldAt: lookedAt(kept, host) })
}

/** Up to when a claim speaks: its list may have been looked at since, and had nothing new. */
function lookedAt({ source, toldAt }: KeptHint, host: HostHints): UnixSeconds {
  return source === null ? toldAt : Math.max(toldAt, host.looked[source] ?? toldAt)
}

/** What is kept of a claim from now on: the new one, the old one, or that it is no longer told. */
function renewed({ kind, kept, claim }: Spoken, visit: HintedVisit): Omit<KeptHint, 'tally'> {
  if (claim !== undefined) return { claim, toldAt: visit.at, source: null }
  const dropped = visit.whole && withContent.has(kind)
  const { claim: before = null, toldAt = visit.at, source = null } = kept ?? {}
  return { claim: dropped ? null : before, toldAt, source }
}

/** A visit made early on a hint that found nothing was early by this share of its gap. */
function wasteOf(before: PageHints, { observation, plannedGap }: HintedVisit): number {
  if (!before.early || observation === null || observation.changed) return 0
  return plannedGap > observation.gap && plannedGap < Infinity
    ? 1 - observation.gap / plannedGap
    : 0
}

/** What a policy may know of the hints of a page that has been seen so often. */
export function hintsView({ page, host }: Heard, { visits }: { visits: number }): HintsView {
  return { told: weighedHints({ page, host }), allowance: allowanceOf(page, { visits }) }
}

function allowanceOf({ wasted }: PageHints, { visits }: { visits: number }): number {
  return Math.max(0, Math.max(1, wasteAllowed * visits) - wasted)
}

/** The hints that a page has now, with what they are worth. */
export function weighedHints({ page, host }: Heard): readonly WeighedHint[] {
  return hintKinds.flatMap((kind) => {
    const kept = page.kinds[kind]
    if (kept === undefined || kept.claim === null) return []
    const { claim, toldAt, tally } = kept
    return [{ kind, claim, toldAt, tally, ...worthOf({ kind, kept }, host) }]
  })
}

/** The same from the page's row alone, as its host's hints stood at the last visit. */
export function keptView(page: PageHints, { visits }: { visits: number }): HintsView {
  const told = hintKinds.flatMap((kind) => {
    const kept = page.kinds[kind]
    if (kept === undefined || kept.claim === null || kept.worth === undefined) return []
    const { claim, toldAt, tally, worth } = kept
    return [{ kind, claim, toldAt, tally, ...worth }]
  })
  return { told, allowance: allowanceOf(page, { visits }) }
}

function worthOf({ kind, kept }: { kind: HintKind; kept: KeptHint }, host: HostHints): HintWorth {
  const { tally, claim, source } = kept
  const others = host.tallies[kind]
  const reliability = reliabilityOf(tally, others)
  const believed = claim !== null && isBelieved(tally, others, { oneWay: isOneWay(claim) })
  if (source === null) return { reliability, believed }
  return { reliability, believed, lookedAt: lookedAt(kept, host) }
}

/** What a page declares by its Change-Frequency tag, believed or not. */
export function declaredIn({ kinds }: PageHints): Declared | null {
  const claim = kinds.meta?.claim
  return claim?.says === 'declared' ? claim.declared : null
}
