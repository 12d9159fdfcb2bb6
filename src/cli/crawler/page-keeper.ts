import { PageKeeper } from '../../engine/index.js'
import type { Store } from '../../model/index.js'
import { Random } from '../../numeric/index.js'
import type { Configured } from './configured.js'
import { hoursOf, mindsOf, storedMinds } from './minds.js'

/** Plans visits as `run` would, by what is stored, for commands that change single pages. */
export async function pageKeeper(
  { config, crawler, world }: Configured,
  store: Store,
): Promise<PageKeeper> {
  return new PageKeeper({
    store,
    collection: config.collection,
    worker: crawler.worker,
    random: new Random(world.seed),
    mindFor: mindsOf(config, await storedMinds(store, config)),
    hoursFor: hoursOf(config),
    pause: async () => {},
  })
}
