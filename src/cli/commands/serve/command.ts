import { VersionDiffs } from '../../../content/bounded/version-diffs.js'
import { contactWarning } from '../../../crawler/contact.js'
import { type Crawler, openCrawler } from '../../../crawler/open-crawler.js'
import { pageAddresses } from '../../../crawler/page-addresses.js'
import type { FileStore } from '../../../model/store.js'
import type { Json } from '../../../model/units.js'
import type { Notifier } from '../../../notify/notifier.js'
import { dashboardRoutes } from '../../../server/dashboard.js'
import { VisitFeed } from '../../../server/events/visit-feed.js'
import { openService } from '../../../server/service.js'
import type { LoopState, ServiceParts } from '../../../server/service-parts.js'
import { storeCommand } from '../../command.js'
import { type Configured, configured, crawlerOptions, withStore } from '../../configured.js'
import { exitCode } from '../../environment.js'
import { openNotifier, SpentBudget } from '../../live/crawler-session.js'
import { dashboardFolder } from '../../node/files.js'
import { fileName, type Setting, settingKeys, settings } from '../../settings/settings.js'
import { setBackAtStart } from '../store.js'
import { listenFault, sayAddress } from './listening.js'

const options = [
  ['--no-crawl', 'serve only: another process, or outside fetchers, make the visits'],
  ['--demo', 'serve a sample web instead of your pages, with its truth beside the estimates'],
  ['--speed <times>', 'with --demo: demo seconds per real second (default: 8640)'],
  ['--no-past', 'with --demo: begin with nothing known instead of two weeks of visits'],
] as const

/** `revisit serve`: the API, and the loop on the same store beside it, in one process. */
export const serveCommand = storeCommand({
  description:
    'Serve the dashboard and the HTTP API (docs at /docs), and visit what is due beside it, until stopped. It listens on this machine alone; on another address (--listen) every request for data must bring a key, made with revisit key add NAME. It logs to standard error. Ctrl-C finishes what is under way.',
  options,
  async run(environment, _, flags) {
    const made = await configured(environment, flags)
    if (flags.demo === true) return (await import('./demo.js')).serveDemo(made, flags)
    return withStore(made, async (store) => {
      const crawling = flags.crawl !== false
      const warning = crawling ? await contactWarning(store, made.config) : null
      if (warning !== null) made.crawler.tell(`${warning}\n`)
      await setBackAtStart(made, store)
      const crawler = await openCrawler(crawlerOptions(made, store))
      const notifier = openNotifier(made, store)
      const diffs = new VersionDiffs()
      const json = flags.json === true
      try {
        return await serve(made, { store, crawler, crawling, notifier, diffs, json })
      } finally {
        await Promise.all([notifier.close(), diffs.close()]).finally(() => crawler.close())
      }
    })
  },
})

interface Serving {
  readonly store: FileStore
  readonly crawler: Crawler
  readonly crawling: boolean
  readonly notifier: Notifier
  readonly diffs: VersionDiffs
  readonly json: boolean
}

async function serve(made: Configured, serving: Serving): Promise<number> {
  const stop = interruption(made, serving)
  const { collection, listen, port, allowedHosts, requireKey } = made.config
  const feed = await VisitFeed.open({ store: serving.store, collection })
  const budget = new SpentBudget(made, (text) => made.crawler.tell(`${text}\n`))
  const loop = new Loop(serving, { feed, signal: stop.signal, budget })
  const service = await openService(partsOf(made, { ...serving, feed, loop }), {
    host: listen,
    port,
    allowedHosts,
    requireKey,
    requestsPerSecond: made.config.requestsPerSecond,
    log: made.config.logLevel,
  }).catch((error: NodeJS.ErrnoException) => {
    stop.end()
    feed.close()
    throw listenFault(error, made.config)
  })
  sayAddress(made, { service, json: serving.json })
  const end = new AbortController()
  const telling = serving.notifier.run(AbortSignal.any([stop.signal, end.signal]))
  try {
    await (serving.crawling ? loop.run() : stop.asked)
    return exitCode.done
  } finally {
    stop.end()
    end.abort()
    // Whatever of it fails: what stays open would keep the process from ending.
    await telling.finally(() => service.close())
  }
}

/** The loop beside the service. */
class Loop implements LoopState {
  readonly #serving: Serving
  readonly #feed: VisitFeed
  readonly #signal: AbortSignal
  readonly #budget: SpentBudget
  #running = false

  constructor(
    serving: Serving,
    parts: { feed: VisitFeed; signal: AbortSignal; budget: SpentBudget },
  ) {
    this.#budget = parts.budget
    this.#serving = serving
    this.#feed = parts.feed
    this.#signal = parts.signal
  }

  get running(): boolean {
    return this.#running
  }

  get underWay(): number {
    return this.#serving.crawler.underWay
  }

  async run(): Promise<void> {
    this.#running = true
    try {
      await this.#serving.crawler.run({
        signal: this.#signal,
        onSpent: (opens) => this.#budget.exhausted(opens),
        onVisit: () => this.#feed.nudge(),
      })
    } finally {
      this.#running = false
    }
  }
}

function partsOf(
  { environment, crawler: outside, config }: Configured,
  {
    store,
    crawler,
    crawling,
    notifier,
    diffs,
    feed,
    loop,
  }: Serving & { feed: VisitFeed; loop: Loop },
): ServiceParts {
  const { clock } = outside
  return {
    store,
    clock,
    random: crawler.random,
    version: environment.version,
    collection: config.collection,
    addresses: pageAddresses(config, { crawling }),
    longestRetryAfter: config.retryAfter,
    session: crawler.session,
    gate: crawler.gate,
    diffs,
    plannerFor: crawler.plannerFor,
    controller: crawler.controller,
    settings: settingsInForce(config),
    feed,
    notify: {
      allowedNetworks: config.notifyNetworks,
      test: (channel) => notifier.test(channel),
    },
    ...(crawling ? { loop } : {}),
    routes: [dashboardRoutes({ folder: dashboardFolder() })],
  }
}

function settingsInForce(config: Configured['config']): Record<string, Json> {
  const pairs = settingKeys.map((key) => {
    const { kind } = settings[key] as Setting<unknown>
    return [fileName(key), kind.write(config[key])] as const
  })
  return Object.fromEntries(pairs)
}

/** The first Ctrl-C finishes what is under way; the second gives it back and ends at once. */
function interruption(
  { crawler: outside }: Configured,
  { store }: Serving,
): { signal: AbortSignal; asked: Promise<void>; end(): void } {
  const stop = new AbortController()
  const asked = new Promise<void>((resolve) => {
    stop.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const end = outside.onInterrupt(() => {
    if (stop.signal.aborted)
      void store.releaseWorker(outside.worker).finally(() => outside.exitNow(exitCode.interrupted))
    stop.abort()
  })
  return { signal: stop.signal, asked, end }
}
