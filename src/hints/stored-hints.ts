import {
  type Claim,
  type Declared,
  type HintKind,
  type HintTally,
  type HintWorth,
  type HostHints,
  hintKinds,
  type KeptHint,
  type PageHints,
} from '../model/hint.js'
import { type Json, YEAR } from '../model/units.js'
import { noTally } from './reliability.js'

/** As an array: a million pages keep a few each. What guessing goes by is left out while it is the same. */
function tallyJson({ foretold, right, changed, lead, recent }: HintTally): Json {
  const four = [foretold, right, changed, Math.round(lead * 1e4) / 1e4]
  return recent === undefined ? four : [...four, recent.foretold, recent.changed]
}

/**
 * A tally from a row. Rows from before visits were counted in full hold what
 * guessing went by, with halves in it: counting goes on from there.
 */
function tallyFrom(json: Json | undefined): HintTally {
  if (!Array.isArray(json)) return noTally
  const [foretold, right, changed, lead, newer = foretold, found = changed] =
    json as readonly Json[]
  const recent = { foretold: amount(newer), changed: Math.min(amount(newer), amount(found)) }
  const count = Math.round(amount(foretold))
  const tally = {
    foretold: count,
    right: Math.min(count, Math.round(amount(right))),
    changed: Math.min(count, Math.round(amount(changed))),
    lead: typeof lead === 'number' && Number.isFinite(lead) ? lead : 0,
  }
  const same = recent.foretold === tally.foretold && recent.changed === tally.changed
  return same ? tally : { ...tally, recent }
}

/** A count or a sum of them; 0 for anything else. */
function amount(json: Json | undefined): number {
  return typeof json === 'number' && json >= 0 && json < 1e9 ? json : 0
}

export const noHints: PageHints = { kinds: {}, wasted: 0, early: false }
export const noHostHints: HostHints = { tallies: {}, looked: {} }

/** Hosts with more sitemaps than this forget when the oldest was looked at. */
const mostLooked = 100
const longest = 100 * YEAR

/** A page's hints from its row. Anything that is not ours is left out: a row may be years old. */
export function pageHintsFrom(json: Json): PageHints {
  const { kinds, wasted, early, planned } = fields(json)
  const kept: Partial<Record<HintKind, KeptHint>> = {}
  for (const kind of hintKinds) {
    const hint = keptFrom(fields(kinds)[kind])
    if (hint !== null) kept[kind] = hint
  }
  const hints = { kinds: kept, wasted: amount(wasted), early: early === true }
  return typeof planned === 'number' && planned > 0 ? { ...hints, planned } : hints
}

export function pageHintsJson({ kinds, wasted, early, planned }: PageHints): Json {
  const kept: Record<string, Json> = {}
  for (const kind of hintKinds) {
    const hint = kinds[kind]
    if (hint === undefined) continue
    const { claim, toldAt, source, tally, worth, calmUntil } = hint
    kept[kind] = {
      claim: claim as unknown as Json,
      toldAt,
      ...(source === null ? {} : { source }),
      tally: tallyJson(tally),
      ...(worth === undefined ? {} : { worth: worthJson(worth) }),
      ...(calmUntil === undefined ? {} : { calmUntil }),
    }
  }
  return {
    kinds: kept,
    ...(wasted > 0 ? { wasted } : {}),
    ...(early ? { early } : {}),
    ...(planned === undefined ? {} : { planned }),
  }
}

export function hostHintsFrom(json: Json | undefined): HostHints {
  const { tallies, looked, news } = fields(json)
  const kept: Partial<Record<HintKind, HintTally>> = {}
  for (const kind of hintKinds) {
    const told = fields(tallies)[kind]
    if (told !== undefined) kept[kind] = tallyFrom(told)
  }
  const times = Object.entries(fields(looked)).filter(([, at]) => Number.isFinite(at))
  const hints = { tallies: kept, looked: Object.fromEntries(times) as Record<string, number> }
  return news === undefined ? hints : { ...hints, news }
}

export function hostHintsJson({ tallies, looked, news }: HostHints): Json {
  const newest = Object.entries(looked)
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostLooked)
  const kept = Object.entries(tallies).map(([kind, tally]) => [kind, tallyJson(tally)] as const)
  const hints = { tallies: Object.fromEntries(kept), looked: Object.fromEntries(newest) }
  return news === undefined ? hints : { ...hints, news }
}

function keptFrom(json: Json | undefined): KeptHint | null {
  const { claim, toldAt, source, tally, worth, calmUntil } = fields(json)
  if (typeof toldAt !== 'number' || !Number.isFinite(toldAt)) return null
  const known = worthFrom(worth)
  return {
    ...(known === null ? {} : { worth: known }),
    ...(typeof calmUntil === 'number' && Number.isFinite(calmUntil) ? { calmUntil } : {}),
    claim: claimFrom(claim),
    toldAt,
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
  const told = says === 'declared' ? declaredFrom(declared) : null
  return told === null ? null : { says: 'declared', declared: told }
}

function declaredFrom(json: Json | undefined): Declared | null {
  const { kind, period } = fields(json)
  if (kind === 'static') return { kind }
  const known = typeof period === 'number' && period > 0 ? Math.min(period, longest) : null
  if (kind === 'nonuniform') return { kind, period: known }
  return kind === 'periodic' && known !== null ? { kind, period: known } : null
}

function worthJson({ reliability, believed, lookedAt }: HintWorth): Json {
  const two = [Math.round(reliability * 1e4) / 1e4, believed ? 1 : 0]
  return lookedAt === undefined ? two : [...two, lookedAt]
}

function worthFrom(json: Json | undefined): HintWorth | null {
  if (!Array.isArray(json)) return null
  const [reliability, believed, lookedAt] = json as readonly Json[]
  if (typeof reliability !== 'number' || !(reliability >= 0 && reliability <= 1)) return null
  const looked = typeof lookedAt === 'number' && Number.isFinite(lookedAt) ? { lookedAt } : {}
  return { reliability, believed: believed === 1, ...looked }
}

function fields(json: Json | undefined): { readonly [name: string]: Json | undefined } {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? (json as { readonly [name: string]: Json })
    : {}
}
