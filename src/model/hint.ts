import { DAY, type Json, type Seconds, type UnixSeconds } from './units.js'

/**
 * Where publishers say how their pages change: Hattab's Change-Frequency tag,
 * lastmod and changefreq of sitemaps, dates of feed items, Last-Modified, and
 * how long caches may keep a page.
 */
export const hintKinds = [
  'meta',
  'sitemap',
  'changefreq',
  'feed',
  'last-modified',
  'cache',
] as const
export type HintKind = (typeof hintKinds)[number]

/**
 * What a publisher declares about a page's changes (Hattab's Change-Frequency
 * tag, read). The period of a nonuniform page is the time to its next change,
 * where given.
 */
export type Declared =
  | { readonly kind: 'static' }
  | { readonly kind: 'periodic'; readonly period: Seconds }
  | { readonly kind: 'nonuniform'; readonly period: Seconds | null }

/** The period that STATIC stands for, "very little probability to be changed": hardly ever, or longer. */
export const staticPeriod: Seconds = 900 * DAY

/** What a hint says. */
export type Claim =
  | { readonly says: 'changed-at'; readonly at: UnixSeconds }
  | { readonly says: 'declared'; readonly declared: Declared }
  /** Caches may keep the page so long without asking. */
  | { readonly says: 'fresh-for'; readonly duration: Seconds }

/** One thing that a publisher says of a page. */
export interface Hint {
  readonly kind: HintKind
  readonly claim: Claim
}

/** How often a kind of hint proved right, in four numbers, or six after many visits. */
export interface HintTally {
  /** Visits of which it predicted something. */
  readonly predicted: number
  /** Those that ended as it predicted. */
  readonly right: number
  /** Those that found a change. */
  readonly changed: number
  /** Log of how much likelier it made what was seen than guessing did; bounded. */
  readonly lead: number
  /** What one would guess from; left out as long as all visits count in full. */
  readonly recent?: RecentVisits
}

/** Before anything was predicted. */
export const noTally: HintTally = { predicted: 0, right: 0, changed: 0, lead: 0 }

/** The newer past: older visits count by half from time to time, so that these are no counts to show. */
export interface RecentVisits {
  readonly predicted: number
  readonly changed: number
}

/** What is kept of one kind of hint between visits. */
export interface KeptHint {
  /** Null once it is no longer reported. */
  readonly claim: Claim | null
  readonly reportedAt: UnixSeconds
  /** The page that reported it, a sitemap or a feed; null where the page itself did. */
  readonly source: string | null
  readonly tally: HintTally
  /** Its rating at the last visit, with what its host had shown; left out before there was one. */
  readonly rating?: HintRating
  /** When the list was last polled before it reported a change since the last visit; left out where it reported none. */
  readonly unchangedUntil?: UnixSeconds
}

/** How far a hint is to be relied on. */
export interface HintRating {
  /** The chance that it tells more than guessing would: 0.5 before anything is known. */
  readonly reliability: number
  /** Whether it has proved itself enough to be followed. */
  readonly trusted: boolean
  /** When the list that tells it was last polled; left out where no list is followed. */
  readonly polledAt?: UnixSeconds
}

/** All hints of one page, and what following them has cost. */
export interface PageHints {
  readonly kinds: Readonly<Partial<Record<HintKind, KeptHint>>>
  /** Visits made early on a hint that found nothing, each by the share of its gap that it was early. */
  readonly wasted: number
  /** Whether a hint made the visit to come an early one. */
  readonly early: boolean
}

/** How the hints of all pages of a host did, and when its sitemaps and feeds were last polled. */
export interface HostHints {
  readonly tallies: Readonly<Partial<Record<HintKind, HintTally>>>
  readonly polled: Readonly<Record<string, UnixSeconds>>
  /** What a change on one of its pages signals of the others, where the site's option asks for it; kept as it is. */
  readonly changeSignal?: Json
}

/** A hint with its rating, for a policy. */
export interface WeighedHint extends Hint, HintRating {
  readonly reportedAt: UnixSeconds
  readonly tally: HintTally
}

/** What a policy may know of a page's hints. */
export interface HintsView {
  readonly reported: readonly WeighedHint[]
  /** How much of a visit may still be wasted on them; never below 0. */
  readonly allowance: number
}

/** What an answer tells of another page. */
export interface FoundPage {
  /** In normal form. */
  readonly url: string
  readonly hints: readonly Hint[]
  /** Settings to follow it with where it is new; null where it is not to be added. */
  readonly settings: Readonly<Record<string, Json>> | null
  /** Addresses alike but for their numbers share one: a trap has few of these. */
  readonly shape: string
}

/**
 * How much a hint counts as evidence, from 0 to 1: twice what its reliability
 * is above even odds. Nothing at 0.5 and below: a hint that lies is not turned
 * round, it is left out.
 */
export function hintWeight({ reliability }: { readonly reliability: number }): number {
  return Math.min(1, Math.max(0, 2 * reliability - 1)) || 0
}
