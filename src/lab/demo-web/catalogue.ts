import { OptionError } from '../../model/errors.js'
import { mix32 } from '../../model/hash.js'
import { DAY, type UnixSeconds } from '../../model/units.js'
import { type Law, lawOf } from './change-laws.js'
import {
  type Access,
  type AccessKind,
  rarelyBetween,
  type SitePlan,
  sitePlans,
  type Telling,
  tellings,
} from './site-plans.js'

/**
 * 32 bits that depend on all the given numbers and on nothing else (the
 * finaliser of MurmurHash3 over each in turn): what a page is and says is
 * looked up by its numbers, so nothing needs to be stored.
 */
export function hashOf(...numbers: readonly number[]): number {
  let state = 0x9e3779b9
  for (const each of numbers) {
    state ^= mix32((each | 0) ^ Math.floor(each / 0x1_0000_0000))
    state = (Math.imul((state << 13) | (state >>> 19), 5) + 0xe6546b64) | 0
  }
  return mix32(state) >>> 0
}

/** The same as a share of 1, in [0, 1). */
export function shareOf(...numbers: readonly number[]): number {
  return hashOf(...numbers) / 0x1_0000_0000
}

/** One of a list, by the same numbers. */
export function pickOf<T>(list: readonly T[], ...numbers: readonly number[]): T {
  return list[hashOf(...numbers) % list.length]!
}

const first = [
  'amber',
  'birch',
  'copper',
  'delta',
  'ember',
  'fern',
  'granite',
  'hazel',
  'iron',
  'juniper',
]
const second = [
  'bridge',
  'corner',
  'field',
  'gate',
  'hill',
  'lane',
  'mill',
  'quay',
  'square',
  'tower',
]

/** Two words and, past a hundred, a number: no two pages of a site are called alike. */
function slugOf(index: number): string {
  const words = `${first[index % 10]}-${second[(index + Math.floor(index / 10)) % 10]}`
  return index < 100 ? words : `${words}-${Math.floor(index / 100) + 1}`
}

const folders: Readonly<Record<AccessKind, string>> = {
  plain: 'pages',
  slow: 'pages',
  gone: 'pages',
  failing: 'pages',
  disallowed: 'private',
  forbidden: 'members',
  moved: 'old',
}

/** The folder that robots.txt closes. */
export const closedFolder = `/${folders.disallowed}/`

function pathOf({ index, access }: { index: number; access: AccessKind }): string {
  return index === 0 ? '/' : `/${folders[access]}/${slugOf(index)}`
}

function titleOf({ index, site }: { index: number; site: string }): string {
  if (index === 0) return site
  return slugOf(index)
    .split('-')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(' ')
}

/** All that is fixed of one page from the start. */
export interface PagePlan {
  /** Its place in the whole web; with the seed it decides everything. */
  readonly number: number
  readonly site: SitePlan
  readonly path: string
  readonly title: string
  readonly law: Law
  readonly access: Access
  readonly telling: Telling
}

interface CatalogueOptions {
  readonly seed: number
  readonly pages: number
  /** When the demo begins. */
  readonly origin: UnixSeconds
}

const fewestPages = 10
const mostPages = 10_000

/** The pages of each site, in the order of `sitePlans`: the same for the same options. */
export function catalogue(options: CatalogueOptions): PagePlan[][] {
  const { seed, pages } = options
  if (!Number.isSafeInteger(seed))
    throw new OptionError('bad-seed', `seed is ${seed}, but it must be a whole number`)
  if (!(Number.isInteger(pages) && pages >= fewestPages && pages <= mostPages))
    throw new OptionError(
      'bad-pages',
      `pages is ${pages}, but it must be a whole number from ${fewestPages} to ${mostPages}`,
    )
  let first = 0
  return siteSizes(pages).map((size, i) => {
    const plans = sitePages({ ...options, site: sitePlans[i]!, first, size })
    first += size
    return plans
  })
}

/** Shares rounded so that they sum to all pages: each site ends where its cumulated share does. */
function siteSizes(pages: number): number[] {
  let share = 0
  let before = 0
  return sitePlans.map((site, i) => {
    share += site.share
    const end = i === sitePlans.length - 1 ? pages : Math.round(share * pages)
    const size = end - before
    before = end
    return size
  })
}

interface SiteOptions extends CatalogueOptions {
  readonly site: SitePlan
  readonly first: number
  readonly size: number
}

function sitePages(options: SiteOptions): PagePlan[] {
  const { seed, site, first, size } = options
  const tellFrom = hashOf(seed, first, 2)
  return Array.from({ length: size }, (_, index) => {
    const access = accessOf(options, index)
    const round = Math.floor(index / site.laws.length)
    return {
      number: first + index,
      site,
      path: pathOf({ index, access: access.kind }),
      title: titleOf({ index, site: site.title }),
      law: pageLaw(options, index),
      access,
      telling: tellings[site.tells[(tellFrom + index + round) % site.tells.length]!],
    }
  })
}

/**
 * The pages of one kind on one site share out the range of periods evenly on
 * a logarithmic scale, each at a random place in its part, so that every seed
 * has fast and slow pages.
 */
function pageLaw({ seed, site, first, size, origin }: SiteOptions, index: number): Law {
  const kindAt = (at: number) => site.laws[at % site.laws.length]!
  const kind = kindAt(index)
  const alike = Array.from({ length: size }, (_, i) => i).filter((i) => kindAt(i) === kind)
  const variant = alike.indexOf(index)
  const { fastest, slowest } = kind === 'rarely' ? rarelyBetween : site
  const place = (variant + shareOf(seed, first + index, 1)) / alike.length
  return lawOf({ kind, period: fastest * (slowest / fastest) ** place, origin, variant })
}

const moves = [301, 302, 308, 307] as const

/** The front page is always plain, so every page that moved has somewhere to send to. */
function accessOf({ seed, site, first, origin, size }: SiteOptions, index: number): Access {
  const kindAt = (at: number): AccessKind =>
    at === 0 ? 'plain' : site.access[(at - 1) % site.access.length]!
  const kind = kindAt(index)
  const draw = shareOf(seed, first + index, 3)
  if (kind === 'gone') return { kind, goneAt: origin + (2 + 28 * draw) * DAY }
  if (kind !== 'moved') return { kind }
  const plain = Array.from({ length: size }, (_, i) => i).filter((i) => kindAt(i) === 'plain')
  const target = first + plain[Math.floor(draw * plain.length)]!
  return { kind, status: moves[hashOf(seed, first + index, 4) % moves.length]!, target }
}
