import { openCrawler } from '../../crawler/open-crawler.js'
import { crawlerDefaults } from '../../crawler/settings.js'
import { Crawls } from '../../frontier/crawls.js'
import { schedules } from '../../frontier/item-writer.js'
import { defaultCrawl } from '../../frontier/items.js'
import { FrontierLog } from '../../frontier/log.js'
import { FrontierMetrics } from '../../frontier/metrics.js'
import { nodeRole } from '../../frontier/queue-calls.js'
import { openFrontier, usualPort } from '../../frontier/service.js'
import { aborted } from '../../model/aborted.js'
import { OptionError } from '../../model/errors.js'
import type { Store } from '../../model/store.js'
import { type FlagsOf, storeCommand } from '../command.js'
import {
  type Configured,
  type CrawlerFlags,
  configured,
  crawlerOptions,
  withStore,
} from '../configured.js'
import { exitCode } from '../environment.js'
import { interruption } from '../live/crawler-session.js'
import { isForThisMachine } from '../node/service-beside.js'
import { oneOf } from '../text/numbers.js'
import { openServing, type Serving } from './serve/service.js'
import { setBackAtStart } from './store.js'

const options = [
  [
    '--grpc <address>',
    `where crawlers connect (default: 127.0.0.1:${usualPort}); port 0 takes any`,
  ],
  [
    '--schedule <whose>',
    'auto: when a page is due is learned from what crawlers report; client: by the date that they send (default: auto)',
    oneOf(...schedules),
  ],
  ['--no-http', 'without dashboard, API and metrics: another process has them'],
] as const

/** `revisit frontier`: decides, while crawlers of others fetch. */
export const frontierCommand = storeCommand({
  description:
    'Be the frontier of crawlers that speak the URLFrontier API (gRPC), such as Apache StormCrawler: they put what they find and what they fetched, and are given what is due, host by host, with delays, blocks, limits and leases that survive a restart. Each crawl is a collection; one without a name is called DEFAULT. On PostgreSQL any number of nodes may share one database. Dashboard, API and metrics are served beside it, as by revisit serve --no-crawl. The API of frontiers knows no keys: whoever reaches the address may do everything.',
  options,
  async run(environment, _, flags) {
    const made = await configured(environment, flags)
    return withStore(made, (store) => frontier(made, store, flags), { thread: true })
  },
})

async function frontier(
  made: Configured,
  store: Store,
  flags: FlagsOf<typeof options> & CrawlerFlags,
): Promise<number> {
  const { config, crawler: outside, environment } = made
  const { host, port } = addressIn(flags.grpc ?? `127.0.0.1:${usualPort}`)
  const { schedule = 'auto' } = flags
  const tell = (line: string) => outside.tell(`${line}\n`)
  if (!isForThisMachine(host))
    tell(
      `the frontier listens on ${host}, and its API knows no keys: whoever reaches it may read, change and delete everything in it. Let a firewall or a network of its own see to it that only your crawlers do`,
    )
  await setBackAtStart(made, store)
  const log = new FrontierLog(tell)
  const metrics = new FrontierMetrics()
  const { clock, worker } = outside
  let role = 'frontier'
  const crawls = new Crawls({
    open: (collection) =>
      openCrawler({ ...crawlerOptions(made, store), collection, role, siblings: false }),
    clock,
    log,
  })
  const opened = await openFrontier(
    {
      store,
      clock,
      crawls,
      schedule,
      metrics,
      log,
      worker,
      version: environment.version,
      longestRetryAfter: config.retryAfter,
      longestDelay: config.longestDelay,
    },
    { host, port },
  )
  role = nodeRole(opened.address)
  const collection =
    config.collection === crawlerDefaults.collection ? defaultCrawl : config.collection
  let serving: Serving | undefined
  try {
    const crawler = await crawls.of(collection)
    const stop = interruption(made, { store, crawler })
    const json = flags.json === true
    if (flags.http !== false)
      serving = await openServing(made, {
        store,
        clock,
        collection,
        crawler,
        crawling: false,
        settings: {},
        live: {
          rows: () => made.settings.rows(),
          async change(changes) {
            await made.settings.change(store, changes, clock.now())
            await crawler.use(made.config)
          },
        },
        metrics,
        json,
      })
    outside.say(`${json ? JSON.stringify({ frontier: opened.address }) : opened.address}\n`)
    // Perhaps asked for while it opened.
    await aborted(stop.signal)
    stop.end()
    return exitCode.done
  } finally {
    await opened.close().finally(async () => {
      await serving?.close().finally(() => crawls.close())
      if (serving === undefined) await crawls.close()
    })
  }
}

/** `127.0.0.1:7071`, `[::1]:7071` or a port alone. */
function addressIn(text: string): { readonly host: string; readonly port: number } {
  const found = /^(?:(?:\[([\da-f:.]+)\]|([^:\s[\]]+)):)?(\d{1,5})$/i.exec(text.trim())
  const port = Number(found?.[3])
  if (found === null || port > 65_535)
    throw new OptionError(
      'bad-option',
      `--grpc takes an address and a port such as 127.0.0.1:${usualPort}; got ${text.slice(0, 100)}`,
    )
  return { host: found[1] ?? found[2] ?? '127.0.0.1', port }
}
