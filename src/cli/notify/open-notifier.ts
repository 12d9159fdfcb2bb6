import { systemClock } from '../../crawl/index.js'
import type { FileStore } from '../../model/index.js'
import { Notifier } from '../../notify/index.js'
import { Random } from '../../numeric/index.js'
import type { Configured } from '../crawler/configured.js'

/** What tells of changes, wired from the configuration. */
export function openNotifier({ config, crawler, world }: Configured, store: FileStore): Notifier {
  const { smtp, mailFrom } = config
  return new Notifier({
    store,
    collection: config.collection,
    // Receivers live by the real time, also where visits are made on another.
    clock: { now: () => crawler.clock.now(), sleep: systemClock.sleep },
    random: new Random(world.seed),
    worker: crawler.worker,
    version: world.version,
    allowedNetworks: config.notifyNetworks,
    retry: { giveUpAfter: config.notifyGiveUp },
    ...(smtp === null
      ? {}
      : { mail: { smtp, from: mailFrom ?? `revisit@${new URL(smtp).hostname}` } }),
    onError: (error) => crawler.tell(`notifications: ${(error as Error).message}\n`),
  })
}
