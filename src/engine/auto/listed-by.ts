import { DAY, type PageRecord, type WeighedHint } from '../../model/index.js'
import { runningGap } from '../../planner/index.js'
import { foresightOf, type Listed, lookGap } from '../../schedule/index.js'
import { pageHintsFrom } from '../hints/kept-hints.js'
import type { ListWorths } from './list-worths.js'

/**
 * How a list that would tell of a page's changes counts for it, and how long a
 * change waits until it is told: half of the time between two looks. Null
 * where no list is believed enough to be waited for.
 */
export function listedBy(
  page: PageRecord,
  about: {
    readonly told: readonly WeighedHint[]
    readonly lists: ListWorths
    readonly price: number
  },
): Listed | null {
  const { lastSeen: at } = page
  if (at === null) return null
  const { told, lists, price } = about
  const hints = { told, allowance: 0 }
  const foresight = foresightOf({ hints, at }, { gap: runningGap(page) ?? DAY })
  if (foresight === null || foresight.listed === 0) return null
  const dated = told.filter(
    (each) => each.claim.says === 'changed-at' && each.lookedAt !== undefined,
  )
  const every = dated.map(({ kind, lookedAt }) => {
    const source = pageHintsFrom(page.hints).kinds[kind]?.source ?? ''
    const gap = lookGap({ price, worth: lists.of(source) })
    return gap < Infinity ? gap : 2 * Math.max(0, at - lookedAt!)
  })
  const reliability = Math.max(...dated.map((each) => each.reliability))
  return { weight: foresight.listed, reliability, delay: Math.min(...every) / 2 }
}
