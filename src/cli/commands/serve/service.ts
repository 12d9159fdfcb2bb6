import { VersionDiffs } from '../../../content/bounded/version-diffs.js'
import { type PageAddresses, pageAddresses } from '../../../crawler/incoming/page-addresses.js'
import type { Crawler } from '../../../crawler/open-crawler.js'
import { systemClock } from '../../../crawler/system-clock.js'
import { EnvironmentError, OptionError } from '../../../model/errors.js'
import type { Store } from '../../../model/store.js'
import type { Clock, Json, Seconds } from '../../../model/units.js'
import { InboxWriter } from '../../../notify/inbox/inbox-writer.js'
import type { DemoTruth } from '../../../server/collection/demo.js'
import { dashboardRoutes } from '../../../server/dashboard.js'
import { VisitFeed } from '../../../server/events/visit-feed.js'
import { openService, type Service } from '../../../server/service.js'
import type { ServiceParts } from '../../../server/service-parts.js'
import type { Configured } from '../../configured.js'
import { dashboardFolder } from '../../node/files.js'
import { isForThisMachine, ServiceBeside } from '../../node/service-beside.js'

/** What is served: a crawler on its store, of the person's own pages or of the demo. */
export interface Served {
  readonly store: Store
  readonly clock: Clock
  readonly collection: string
  readonly crawler: Crawler
  /** Whether this process visits pages itself. */
  readonly crawling: boolean
  /** For a person to look at, where none of them can be changed. */
  readonly settings: Readonly<Record<string, Json>>
  readonly live?: ServiceParts['live']
  /** The form under which a page is kept, where not every page of the web may be added. */
  readonly address?: PageAddresses['address']
  readonly notify?: ServiceParts['notify']
  readonly metrics?: ServiceParts['metrics']
  readonly demo?: DemoTruth
  /** Of the demo: where the service with one's own pages is, if it is there already. */
  readonly own?: string | undefined
  /** How often the log of visits is polled; as the feed does it by default. */
  readonly pollEvery?: Seconds
  /** Whether another port will do where the configured one is taken. */
  readonly anyPort?: boolean
  /** Whether the address is said as JSON. */
  readonly json: boolean
}

/** A service that listens. */
export interface Serving {
  /** To be woken after each visit, which is then sent to whoever listens. */
  readonly feed: VisitFeed
  /** The loop as people are shown it. */
  readonly loop: { running: boolean }
  close(): Promise<void>
}

/** Opens the API and the dashboard over a crawler, and says at once where they are. */
export async function openServing(made: Configured, served: Served): Promise<Serving> {
  const { store, collection, crawler, pollEvery } = served
  const polls = pollEvery === undefined ? {} : { pollEvery }
  const feed = await VisitFeed.open({ store, collection, ...polls })
  const diffs = new VersionDiffs()
  const loop = {
    running: served.crawling,
    get underWay() {
      return crawler.underWay
    },
  }
  const at = { address: '' }
  const beside = besideOf(made, served, at)
  const parts = partsOf(made, { ...served, feed, diffs, loop, beside })
  const service = await listening(parts, made, served.anyPort === true).catch(async (error) => {
    feed.close()
    await diffs.close()
    throw error
  })
  const end = new AbortController()
  const inbox = new InboxWriter({
    store,
    collection,
    diffs,
    clock: { now: () => served.clock.now(), sleep: systemClock.sleep },
    onError: (error) => made.crawler.tell(`changes: ${(error as Error).message}\n`),
  })
  const writing = inbox.run(end.signal)
  const { address } = service
  at.address = address
  made.crawler.say(`${served.json ? JSON.stringify({ address }) : address}\n`)
  return {
    feed,
    loop,
    async close() {
      end.abort()
      beside?.close()
      await service.close().finally(() => writing.finally(() => diffs.close()))
    },
  }
}

/** From one's own pages to the demo and back, where the browser is on this machine too. */
function besideOf(
  { config }: Configured,
  { demo, own }: Served,
  at: { readonly address: string },
): ServiceBeside | null {
  if (!isForThisMachine(config.listen)) return null
  return demo === undefined
    ? new ServiceBeside('demo', { options: () => ['--demo', '--own', at.address] })
    : new ServiceBeside('own', { options: () => [], known: own })
}

function partsOf(
  made: Configured,
  served: Served &
    Required<Pick<ServiceParts, 'feed' | 'diffs' | 'loop'>> & {
      readonly beside: ServiceBeside | null
    },
): ServiceParts {
  const { environment, config } = made
  const { store, clock, collection, crawler, crawling, settings, feed, diffs } = served
  const { random, session, gate, plannerFor, controller } = crawler
  const { address, demo, beside } = served
  return {
    store,
    clock,
    random,
    version: environment.version,
    collection,
    addresses:
      address === undefined
        ? pageAddresses(() => made.config, { crawling })
        : { address, loggedAddress: address },
    longestRetryAfter: config.retryAfter,
    session,
    gate,
    diffs,
    plannerFor,
    controller,
    settings,
    ...(served.live === undefined ? {} : { live: served.live }),
    feed,
    ...(served.notify === undefined ? {} : { notify: served.notify }),
    ...(served.metrics === undefined ? {} : { metrics: served.metrics }),
    ...(crawling ? { loop: served.loop } : {}),
    routes: [
      dashboardRoutes({
        folder: dashboardFolder(),
        ...(demo === undefined ? {} : { demo }),
        ...(beside === null ? {} : { beside }),
      }),
    ],
  }
}

/** On the configured port; on any other where that is taken and another will do. */
async function listening(
  parts: ServiceParts,
  { config }: Configured,
  anyPort: boolean,
): Promise<Service> {
  const { listen: host, port, allowedHosts, requireKey, requestsPerSecond, logLevel } = config
  const options = { host, allowedHosts, requireKey, requestsPerSecond, log: logLevel }
  try {
    return await openService(parts, { ...options, port })
  } catch (error) {
    const fault = error as NodeJS.ErrnoException
    if (!anyPort || fault.code !== 'EADDRINUSE') throw listenFault(fault, config)
    return openService(parts, { ...options, port: 0 })
  }
}

/** Before anything is opened for it. */
export function checkListen({ listen }: Configured['config']): void {
  const [, host, given] = /^([^:]+):(\d+)$/.exec(listen) ?? []
  if (given !== undefined)
    throw new OptionError(
      'bad-option',
      `${listen} is no address to listen on; the port is given apart: --listen ${host} --port ${given}`,
    )
}

/** Where it cannot listen, and what to do about it; any other error as it came. */
function listenFault(
  error: NodeJS.ErrnoException,
  { listen, port }: Configured['config'],
): unknown {
  if (error.code === undefined || !/^E[A-Z]+$/.test(error.code)) return error
  const message = `cannot listen on ${listen}:${port} (${error.code}); choose others with --listen and --port`
  return new EnvironmentError('cannot-listen', message, { cause: error })
}
