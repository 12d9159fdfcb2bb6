import type { WantedPage } from '../../formats/page-lists/wanted-page.js'
import { given } from '../../model/given.js'
import { type ChosenSettings, type NewPage, withChosen } from '../../model/page.js'
import type { Due } from '../../model/policy.js'
import type { Store } from '../../model/store.js'
import { reasonByHand } from '../../planner/collection/replan.js'

/** When a page that is paused in the list it came from is visited. */
export const pausedThere: Due = { at: 'never', reason: reasonByHand('paused where it came from') }

/** A new page with what a list has set for it. */
export function withWanted(page: NewPage, wanted: WantedPage | undefined): NewPage {
  if (wanted === undefined) return page
  const { group, tags, importance, settings = {}, paused = false } = wanted
  return {
    ...page,
    ...given({ group, tags, importance }),
    settings: withChosen(page.settings ?? {}, settings as ChosenSettings),
    ...(paused ? { due: pausedThere } : {}),
  }
}

/**
 * Gives pages that are followed what a list has set for each of them; the same
 * again changes nothing. Tells how many were changed.
 */
export async function setWanted(
  wanted: Iterable<WantedPage>,
  { store, collection }: { readonly store: Store; readonly collection: string },
): Promise<number> {
  let changed = 0
  for (const { url, group, tags, importance, settings = {} } of wanted) {
    const page = await store.getPage({ collection, url })
    if (page === null) continue
    const all = withChosen(page.settings, settings as ChosenSettings)
    const change = { ...given({ group, tags, importance }), settings: all }
    const now = {
      group: page.group,
      tags: page.tags,
      importance: page.importance,
      settings: page.settings,
    }
    if (JSON.stringify({ ...now, ...change }) === JSON.stringify(now)) continue
    await store.changePage(page, change)
    changed++
  }
  return changed
}
