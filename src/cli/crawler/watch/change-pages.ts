import { movesPlan } from '../../../engine/index.js'
import type { NewPage, Store } from '../../../model/index.js'
import type { Configured } from '../configured.js'
import { pageKeeper } from '../page-keeper.js'
import type { PageOptions } from './page-options.js'

/** Pages that are watched already take the options of this time too, and are planned by them; tells how many. */
export async function changePages(
  made: Configured,
  told: {
    readonly store: Store
    readonly pages: readonly NewPage[]
    readonly options: PageOptions
  },
): Promise<number> {
  const { store, pages, options } = told
  const { settings, group, importance } = options
  const { collection } = made.config
  const keeper = movesPlan(options) ? await pageKeeper(made, store) : null
  let changed = 0
  for (const { url } of pages) {
    const known = await store.getPage({ collection, url })
    if (known === null) continue
    const page = await store.changePage(known, {
      ...(group === undefined ? {} : { group }),
      ...(importance === undefined ? {} : { importance }),
      ...(settings === undefined ? {} : { settings: { ...known.settings, ...settings } }),
    })
    if (page !== null) await keeper?.planAnew(page, made.crawler.clock.now())
    changed++
  }
  return changed
}
