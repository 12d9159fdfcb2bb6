import { DAY, HOUR, type Seconds, WEEK, YEAR } from '../../model/index.js'
import type { AccessKind, tellings } from './behaviour.js'
import type { LawKind } from './law.js'

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
