import { DAY, HOUR, type Seconds, type UnixSeconds, WEEK, YEAR } from '../../model/units.js'
import type { LastModifiedKind } from '../study/last-modified.js'
import type { LawKind } from './change-laws.js'

/** How a page answers, apart from what it says. */
export const accessKinds = {
  plain: 'answers',
  slow: 'answers late',
  gone: 'answers, and is gone (410) after some days',
  disallowed: 'closed to robots by robots.txt',
  forbidden: 'refuses everybody (403)',
  failing: 'fails now and then (500, 503, no answer at all)',
  moved: 'sends on to another page (301, 302, 307, 308)',
} as const
export type AccessKind = keyof typeof accessKinds

export type Access =
  | { readonly kind: Exclude<AccessKind, 'gone' | 'moved'> }
  | { readonly kind: 'gone'; readonly goneAt: UnixSeconds }
  | { readonly kind: 'moved'; readonly status: 301 | 302 | 307 | 308; readonly target: number }

/** What a page's server tells of its content beside it, true or not. */
export interface Telling {
  readonly words: string
  /** A digest of the content: it never lies. */
  readonly etag: boolean
  readonly lastModified: LastModifiedKind
  /** Whether it answers 304 to a request that names what it reported before. */
  readonly conditional: boolean
}

export const tellings = {
  both: {
    words: 'ETag and Last-Modified, 304',
    etag: true,
    lastModified: 'honest',
    conditional: true,
  },
  etag: { words: 'ETag, 304', etag: true, lastModified: 'missing', conditional: true },
  date: { words: 'Last-Modified, 304', etag: false, lastModified: 'honest', conditional: true },
  dateOnly: {
    words: 'Last-Modified, never a 304',
    etag: false,
    lastModified: 'honest',
    conditional: false,
  },
  nothing: { words: 'nothing', etag: false, lastModified: 'missing', conditional: false },
  stuck: {
    words: 'a Last-Modified that never moves',
    etag: false,
    lastModified: 'stuck',
    conditional: false,
  },
  false304: {
    words: 'a Last-Modified that never moves, and 304 by it',
    etag: false,
    lastModified: 'stuck',
    conditional: true,
  },
  now: {
    words: 'a Last-Modified of now, always',
    etag: false,
    lastModified: 'now',
    conditional: false,
  },
  random: {
    words: 'a Last-Modified at random',
    etag: false,
    lastModified: 'random',
    conditional: false,
  },
} as const satisfies Record<string, Telling>

/** One site: who lives there. Lists are gone through in turn, page by page, so a word twice is twice as many pages. */
export interface SitePlan {
  readonly name: string
  readonly title: string
  /** Its share of all pages. */
  readonly share: number
  readonly feed: boolean
  readonly laws: readonly LawKind[]
  readonly fastest: Seconds
  readonly slowest: Seconds
  readonly tells: ReadonlyArray<keyof typeof tellings>
  readonly access: readonly AccessKind[]
  readonly subjects: readonly string[]
  readonly things: readonly string[]
}

const mostlyPlain = (...others: readonly AccessKind[]): AccessKind[] => [
  ...Array<AccessKind>(12).fill('plain'),
  ...others,
]

export const sitePlans: readonly SitePlan[] = [
  {
    name: 'courier',
    title: 'The Harbour Courier',
    share: 0.26,
    feed: true,
    laws: ['steady', 'bursty', 'steady', 'working-hours', 'bursty', 'steady', 'trending'],
    fastest: HOUR,
    slowest: WEEK,
    tells: ['both', 'etag', 'both', 'dateOnly', 'nothing'],
    access: mostlyPlain('moved', 'gone'),
    subjects: [
      'The harbour office',
      'The ferry company',
      'The mayor',
      'A reader',
      'The coast guard',
    ],
    things: ['boats', 'passengers', 'crates of fish', 'letters', 'visitors', 'lanterns'],
  },
  {
    name: 'market',
    title: 'Green Market',
    share: 0.2,
    feed: false,
    laws: ['daily', 'steady', 'daily', 'steady', 'bursty'],
    fastest: 2 * HOUR,
    slowest: 14 * DAY,
    tells: ['nothing', 'etag', 'both', 'now'],
    access: mostlyPlain('moved'),
    subjects: ['The grower', 'Our stall', 'The baker', 'The dairy', 'The spice shop'],
    things: ['apples', 'loaves', 'jars of honey', 'baskets', 'sacks of flour', 'cheeses'],
  },
  {
    name: 'handbook',
    title: 'The Alder Handbook',
    share: 0.2,
    feed: false,
    laws: ['steady', 'rarely', 'steady', 'trending', 'rarely', 'steady'],
    fastest: 2 * DAY,
    slowest: YEAR / 2,
    tells: ['both', 'date', 'etag'],
    access: mostlyPlain('gone', 'moved'),
    subjects: ['This chapter', 'The index', 'The reference', 'Each example', 'The appendix'],
    things: ['rules', 'tables', 'figures', 'notes', 'steps', 'warnings'],
  },
  {
    name: 'town',
    title: 'Town of Lindow',
    share: 0.18,
    feed: false,
    laws: ['working-hours', 'steady', 'working-hours', 'daily', 'rarely', 'steady'],
    fastest: 4 * HOUR,
    slowest: 60 * DAY,
    tells: ['date', 'stuck', 'date', 'dateOnly', 'now', 'date', 'random', 'false304'],
    access: mostlyPlain('forbidden'),
    subjects: ['The council', 'The school board', 'The library', 'The clerk', 'The fire brigade'],
    things: ['permits', 'meetings', 'trees', 'street lamps', 'reports', 'benches'],
  },
  {
    name: 'attic',
    title: 'The Attic',
    share: 0.16,
    feed: false,
    laws: ['steady', 'bursty', 'steady', 'trending', 'working-hours'],
    fastest: 3 * HOUR,
    slowest: 90 * DAY,
    tells: ['both', 'nothing', 'date', 'etag'],
    access: ['failing', 'slow', 'moved', 'gone', 'disallowed', 'plain', 'forbidden'],
    subjects: ['The collector', 'An old map', 'The clockmaker', 'A neighbour', 'The archive'],
    things: ['clocks', 'postcards', 'coins', 'stamps', 'radios', 'photographs'],
  },
]

/** "Almost never": periods of this range, whatever the site's own. */
export const rarelyBetween = { fastest: YEAR / 2, slowest: YEAR } as const
