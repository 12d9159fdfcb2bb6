import { InputError } from './errors.js'
import type { Outcome } from './history.js'
import type { Due } from './policy.js'
import type { Json, UnixSeconds } from './units.js'

/** A page we follow: identity only, no content. */
export interface Page {
  readonly id: string
  readonly url: string
  /** Pages thought to change alike, such as one host or one kind; priors are learned by group. */
  readonly group?: string
  /** How much a fresh copy of this page is worth beside the others; 1 by default. */
  readonly importance?: number
}

/** What a person chose for one page; names beyond these are kept and left alone. */
export interface PageSettings {
  readonly headers?: Readonly<Record<string, string>>
  /** A title of the person's own, instead of that in the page. */
  readonly title?: string
  /** Whether texts that are new to a place where several take turns are noise, too; no by default. */
  readonly hideNewTexts?: boolean
  /** Whether a browser is to render the page, because scripts make it. */
  readonly browser?: boolean
  /** Whether a screenshot is kept with each version. */
  readonly screenshot?: boolean
  /** What the browser does on the page before that counts, one a line. */
  readonly steps?: readonly string[]
  /** Through which it is visited, such as socks5://host:1080. */
  readonly proxy?: string
  /** Nobody is notified of its changes: true, or until a time. */
  readonly mute?: true | UnixSeconds
  /** Name of the policy; the collection's where left out. */
  readonly policy?: string
  /** `list` for a sitemap or a feed that is followed for what it says of other pages. */
  readonly role?: string
  /** Whether it was found by itself and not asked for by a person. */
  readonly found?: boolean
  readonly [name: string]: Json | undefined
}

/** An estimator's compact state: its numbers to the bit, and whose they are. */
export interface LearnerState {
  readonly learner: string
  readonly numbers: Float64Array
}

/** ETag and Last-Modified exactly as the server wrote them. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

/** How the last attempt ended. */
export interface LastVisit {
  readonly at: UnixSeconds
  readonly outcome: Outcome
  readonly status: number | null
}

/** What the client of a frontier keeps with an address: values by name, which the store only keeps. */
export type Metadata = Readonly<Record<string, readonly string[]>>

/** All that a store keeps of a page, but for its visits and contents. */
export interface PageRecord extends Page {
  readonly collection: string
  readonly host: string
  readonly addedAt: UnixSeconds
  readonly importance: number
  /** Further groups, for people to find pages by; nothing is learned from them. */
  readonly tags: readonly string[]
  readonly settings: PageSettings
  readonly due: Due
  readonly state: LearnerState | null
  readonly validators: Validators
  /** Digest of the content last seen, to compare the next with. */
  readonly fingerprint: string | null
  /** What the publisher reported of its changes; the store only keeps it. */
  readonly hints: Json
  /** What on the page is noise and not to be compared; the store only keeps it. */
  readonly noise: Json
  /** Where the page has moved for good. */
  readonly movedTo: string | null
  /** Of the content that was kept last; null where it has none. */
  readonly title: string | null
  readonly lastVisit: LastVisit | null
  /** The last successful visit: gaps are counted from here. */
  readonly lastSeen: UnixSeconds | null
  /** The last visit that found a change. */
  readonly lastChange: UnixSeconds | null
  /** All attempts. */
  readonly visits: number
  readonly changes: number
  /** Failed or refused visits since the page last answered. */
  readonly failing: number
  /** Visits that found the page gone, since it was last seen. */
  readonly gone: number
  /** Of an address in a queue of the frontier; left out elsewhere. */
  readonly metadata?: Metadata
}

/** What a visit may find out about its page; what is left out stays as it was. */
export interface PageUpdate
  extends Partial<
    Pick<PageRecord, 'validators' | 'hints' | 'noise' | 'movedTo' | 'title' | 'metadata'>
  > {
  readonly state?: LearnerState
}

/** Names a page: by its id in this store, or by collection and address. */
export type PageRef =
  | { readonly id: string }
  | { readonly collection: string; readonly url: string }

/** A page to be followed from now on. */
export interface NewPage {
  readonly url: string
  readonly group?: string
  /** 1 by default. */
  readonly importance?: number
  readonly tags?: readonly string[]
  readonly settings?: PageSettings
  /** At once by default. */
  readonly due?: Due
  /** What a sitemap or a feed reported of it. */
  readonly hints?: Json
  /** Since when it has been followed; from now on by default. */
  readonly addedAt?: UnixSeconds
  readonly metadata?: Metadata
}

/** A page, and what is to be changed of it. */
export interface ChangedPage {
  readonly page: PageRef
  readonly change: PageChange
}

/** What may be changed without a visit, by hand or by a move from another store; what is left out stays, null takes away. */
export interface PageChange extends Partial<Pick<PageRecord, 'validators' | 'movedTo' | 'title'>> {
  readonly group?: string | null
  readonly importance?: number
  readonly tags?: readonly string[]
  readonly settings?: PageSettings
  readonly due?: Due
  /** Null forgets what was learned. */
  readonly state?: LearnerState | null
  readonly hints?: Json
  /** Null unmasks all. */
  readonly noise?: Json
}

/** Which pages; every part given must hold. */
export interface PageFilter {
  readonly collection: string
  readonly host?: string
  /** Their group or one of their tags. */
  readonly group?: string
  /** How the last visit ended. */
  readonly outcome?: Outcome
  readonly urlContains?: string
  /** Due at this time or before. */
  readonly dueBy?: UnixSeconds
  /** About this share of the pages, spread evenly over all: a sample that costs what it gives. From 0 to 1. */
  readonly share?: number
}

export const pageSorts = ['added', 'url', 'due', 'importance', 'lastVisit', 'lastChange'] as const
export type PageSort = (typeof pageSorts)[number]

/** A stretch of the list of pages. */
export interface PageQuery extends PageFilter {
  /** `added` by default. Pages without the value come last either way; ties by when added. */
  readonly sort?: PageSort
  readonly descending?: boolean
  readonly limit: number
  /** Where the stretch before ended. */
  readonly after?: string
}

export interface PageList {
  readonly pages: readonly PageRecord[]
  /** For the next stretch; null at the end. */
  readonly next: string | null
}

/**
 * The one form of an address under which a page is kept, so that one page is
 * one row: WHATWG's form without the fragment. Only http and https.
 */
export function pageUrl(address: string): string {
  const url = parsed(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new InputError('bad-url', `${shortened(address)} is not an http or https address`)
  url.hash = ''
  return url.href
}

/**
 * The host of an address in the form of `pageUrl`, with its port unless that is
 * the default: the unit of politeness. Cut out, not parsed: it is asked for
 * every page that is read.
 */
export function hostOf(url: string): string {
  const from = url.indexOf('//') + 2
  const authority = url.slice(from, url.indexOf('/', from))
  return authority.slice(authority.lastIndexOf('@') + 1)
}

function parsed(address: string): URL {
  try {
    return new URL(address)
  } catch (cause) {
    throw new InputError('bad-url', `${shortened(address)} is not an address of a page`, { cause })
  }
}

function shortened(address: string): string {
  return address.length > 100 ? `${address.slice(0, 97)}...` : address
}

/** Tags of one page at most. */
export const mostTags = 50

/** Whether a page is of a group: its own, or one of its tags. */
export function isOfGroup(
  { group, tags = [] }: { readonly group?: string; readonly tags?: readonly string[] },
  name: string,
): boolean {
  return group === name || tags.includes(name)
}

/** Settings that a person chose for a page, by name; null takes one away. */
export type ChosenSettings = Readonly<Record<string, Json>>

/** A page's settings with what was chosen now. */
export function withChosen(before: PageSettings, chosen: ChosenSettings): PageSettings {
  const all = Object.entries({ ...before, ...chosen })
  return Object.fromEntries(all.filter(([, value]) => value !== null))
}

/** Whether a page is followed for what it lists: a sitemap, an index or a feed. */
export function isList({ role }: PageSettings): boolean {
  return role === 'list'
}

/**
 * The settings of a page that a person asks for: with a noise re-check, by
 * default otherwise. Lists are read for what they say of other
 * pages, and pages found by themselves are not worth the second request.
 */
export function watchedSettings(settings: PageSettings = {}): PageSettings {
  if (isList(settings) || settings.found === true) return settings
  return { noiseCheck: true, ...settings }
}

/**
 * Whether visits bound how often a page changes from one side alone: none found
 * a change yet, or all but the first did. Tables show such a period in brackets.
 */
export function isOneSided({ visits, changes }: Pick<PageRecord, 'visits' | 'changes'>): boolean {
  return changes === 0 || changes >= visits - 1
}

/** The record of a page that nothing is known of yet, for who needs one without a store. */
export function unvisitedPage({
  url,
  collection,
  now,
}: {
  readonly url: string
  readonly collection: string
  readonly now: UnixSeconds
}): PageRecord {
  return {
    id: '',
    url,
    collection,
    host: new URL(url).host,
    addedAt: now,
    importance: 1,
    tags: [],
    settings: {},
    due: { at: now, reason: '' },
    state: null,
    validators: {},
    fingerprint: null,
    hints: null,
    noise: null,
    movedTo: null,
    title: null,
    lastVisit: null,
    lastSeen: null,
    lastChange: null,
    visits: 0,
    changes: 0,
    failing: 0,
    gone: 0,
  }
}
