import type { Claim, Declared, Hint, HintKind } from '../../model/hint.js'
import { DAY, type RandomSource, type Seconds, type UnixSeconds } from '../../model/units.js'

/** Kinds of hints that come by a list of their own, and not with the page. */
export const listedKinds: ReadonlySet<HintKind> = new Set(['sitemap', 'changefreq', 'feed'])

/** The name of that list: each site here has one. */
export const listName = 'list'

/**
 * How a publisher tells of its changes. `lying`: periods wrong by a factor of
 * sixteen, dates at random, caches told to keep pages that change meanwhile.
 * `stuck`: what was once sent, or what comes with the software, and never
 * anything else.
 */
export const publishers = ['honest', 'lying', 'missing', 'stuck'] as const
export type Publisher = (typeof publishers)[number]

/** A page whose whole life is known. */
export interface KnownPage {
  readonly changePeriod: Seconds
  /** Ascending, from before the study to after its end. */
  readonly changes: Float64Array
}

/** The index of the latest change at or before a time. */
export function changesBy({ changes }: KnownPage, at: UnixSeconds): number {
  let low = 0
  let high = changes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (changes[middle]! <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** A page that changes at random (Poisson), from well before 0 until `until`. */
export function knownPage(
  changePeriod: Seconds,
  { until, random }: { readonly until: UnixSeconds; readonly random: RandomSource },
): KnownPage {
  const changes: number[] = []
  let at = -10 * changePeriod
  while (at <= until + 10 * changePeriod) {
    changes.push(at)
    at += changePeriod * random.exponential()
  }
  return { changePeriod, changes: Float64Array.from(changes) }
}

const wrongBy = 16

/** What a publisher of this kind says at a time; null where nothing. */
export function reportedBy(
  { kind, publisher }: { readonly kind: HintKind; readonly publisher: Publisher },
  page: KnownPage,
  { at, random }: { readonly at: UnixSeconds; readonly random: RandomSource },
): Hint | null {
  if (publisher === 'missing') return null
  const say = { meta: declaredAs, changefreq: declaredAs, cache: freshAs }[kind as string] ?? dateAs
  return { kind, claim: say(publisher, page, { at, random }) }
}

type Say = (
  publisher: Publisher,
  page: KnownPage,
  when: { readonly at: UnixSeconds; readonly random: RandomSource },
) => Claim

/** A stock tag says "every week" on every page. */
const declaredAs: Say = (publisher, { changePeriod }) => {
  const wrong = changePeriod < 4 * DAY ? wrongBy : 1 / wrongBy
  const period =
    publisher === 'honest' ? changePeriod : publisher === 'stuck' ? 7 * DAY : changePeriod * wrong
  const declared: Declared = { kind: 'periodic', period }
  return { says: 'declared', declared }
}

/** An honest one knows when it will publish next; a stock one says a day. */
const freshAs: Say = (publisher, page, { at }) => {
  const next = page.changes[changesBy(page, at) + 1] ?? at + page.changePeriod
  const duration =
    publisher === 'honest'
      ? Math.max(1, next - at - 1)
      : publisher === 'stuck'
        ? DAY
        : wrongBy * page.changePeriod
  return { says: 'fresh-for', duration }
}

const dateAs: Say = (publisher, page, { at, random }) => {
  if (publisher === 'honest') return { says: 'changed-at', at: page.changes[changesBy(page, at)]! }
  if (publisher === 'stuck') return { says: 'changed-at', at: page.changes[0]! }
  return { says: 'changed-at', at: at - 2 * page.changePeriod * random.exponential() }
}
