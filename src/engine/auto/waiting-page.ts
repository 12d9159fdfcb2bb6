import type { PageRecord } from '../../model/index.js'
import { isCalled } from '../neighbours/siblings.js'

/** What unwatching writes where a page's past is kept: such a page is left alone. */
export const noLongerWatched = 'no longer watched; its past is kept'

/** How the reason of a due time begins that somebody set. */
const setByHand = 'set by hand'

/** The reason of a due time that somebody sets: it stays until its visit, whatever else is changed. */
export function reasonByHand(why?: string): string {
  return why === undefined ? setByHand : `${setByHand}: ${why}`
}

/** Whether a change of what was chosen for a page moves its next visit. */
export function movesPlan(change: {
  readonly settings?: object | undefined
  readonly importance?: number | undefined
}): boolean {
  const { settings = {}, importance } = change
  return importance !== undefined || planned.some((setting) => setting in settings)
}

const planned = ['policy', 'objective', 'shortest', 'longest', 'hours']

export function isKeptOnly({ due }: PageRecord): boolean {
  return due.at === 'never' && due.reason === noLongerWatched
}

/** A page whose next visit its policy chose, not a failure, a neighbour or a person. */
export function isWaiting(page: PageRecord): boolean {
  const left = isKeptOnly(page) || isCalled(page) || page.due.reason.startsWith(setByHand)
  return page.failing === 0 && page.gone === 0 && !left
}
