import { pageReader, VersionDiffs } from '../../../crawl/index.js'
import { DAY, InputError, type Seconds } from '../../../model/index.js'
import { Random } from '../../../numeric/index.js'
import {
  dashboardRoutes,
  openService,
  type Service,
  type ServiceParts,
  VisitFeed,
} from '../../../server/index.js'
import type { Configured } from '../../crawler/configured.js'
import { DemoLoop, type DemoLoopOptions } from '../../demo/demo-loop.js'
import { collection, type DemoPlace, openPlace } from '../../demo/demo-place.js'
import { DemoWatch } from '../../demo/demo-watch.js'
import { demoSettings } from '../../demo/settings.js'
import { exitCode } from '../../exit-code.js'
import { dashboardFolder } from '../dashboard-folder.js'
import { listenFault } from '../listen-fault.js'
import { sayAddress } from '../say-address.js'
import { webRules } from '../web-rules.js'
import { DemoTeller } from './demo-teller.js'

export interface ServeDemoFlags {
  readonly json?: boolean
  readonly port?: unknown
  readonly speed?: string
  /** False with --no-past: it begins with nothing known. */
  readonly past?: boolean
}

/**
 * What it begins with: two weeks take a second or two to make, most of it for
 * the price of each day.
 */
const pastTime: Seconds = 14 * DAY

/** `revisit serve --demo`: the service on the sample web, which also tells the truth. Until stopped. */
export async function serveDemo(made: Configured, flags: ServeDemoFlags): Promise<number> {
  const speed = flags.speed === undefined ? {} : { speed: flags.speed }
  const settings = demoSettings(speed, { watched: true })
  const stop = new AbortController()
  const forget = made.crawler.onInterrupt(() => stop.abort())
  const place = await openPlace(settings)
  const { hints } = made.config
  const past = flags.past === false ? 0 : pastTime
  const loop = await opened(place, { ...settings, hints, past, version: made.world.version })
  try {
    const { speed } = settings
    const [anyPort, json] = [flags.port === undefined, flags.json === true]
    await serveLoop(loop, { made, speed, anyPort, json, stop })
    return exitCode.done
  } finally {
    forget()
    await loop.close()
  }
}

async function opened(
  place: DemoPlace,
  options: Omit<DemoLoopOptions, 'place'>,
): Promise<DemoLoop> {
  try {
    return await DemoLoop.open({ place, ...options })
  } catch (error) {
    await place.leave(place.start)
    throw error
  }
}

async function serveLoop(
  loop: DemoLoop,
  run: {
    made: Configured
    speed: number
    anyPort: boolean
    json: boolean
    stop: AbortController
  },
): Promise<void> {
  const { made, speed, json, stop } = run
  const watch = new DemoWatch(loop, { wall: () => performance.now() / 1000 })
  const feed = await VisitFeed.open({ store: loop.store, collection, lookAgain: 0.5 })
  const state = { running: true, underWay: 0 }
  const demo = new DemoTeller(watch, { speed })
  const parts = partsOf(loop, { made, feed, demo, state })
  const service = await listening(parts, run).catch((error) => {
    feed.close()
    throw error
  })
  sayAddress(made, { service, json })
  made.crawler.tell('Open it in a browser: a sample web, a day in ten seconds. Ctrl-C ends it.\n')
  try {
    // Before time passes: the first picture shows what was made, and nothing waits for it.
    await demo.told()
    await loop.run({
      signal: stop.signal,
      onVisit: (saved) => {
        watch.visited(saved)
        state.underWay = loop.underWay
        feed.nudge()
      },
    })
  } finally {
    await service.close()
    await parts.diffs.close()
  }
}

function partsOf(
  loop: DemoLoop,
  {
    made,
    feed,
    demo,
    state,
  }: {
    made: Configured
    feed: VisitFeed
    demo: DemoTeller
    state: { running: boolean; underWay: number }
  },
): ServiceParts {
  const { clock } = loop.web
  const rules = webRules(made.config, {
    gate: loop.gate,
    clock,
    crawling: true,
    reader: pageReader,
  })
  const address = (text: string) => demoAddress(text, loop)
  return {
    store: loop.store,
    clock,
    random: new Random(made.world.seed),
    version: made.world.version,
    collection,
    web: { ...rules, address, loggedAddress: address },
    diffs: new VersionDiffs(),
    mindFor: (page) => loop.mindFor(page),
    ...(loop.steward === undefined ? {} : { steward: loop.steward }),
    settings: { demo: true, speed: demo.speed, policy: 'auto', hints: made.config.hints },
    feed,
    loop: state,
    routes: [dashboardRoutes({ folder: dashboardFolder(), demo })],
  }
}

/**
 * The demo's clock makes a minute's rest of a host last milliseconds: no site
 * but its own may be asked at that pace.
 */
function demoAddress(text: string, { web }: DemoLoop): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && web.sites.some(({ base }) => base === url.origin)) return url.href
  throw new InputError(
    'not-in-demo',
    'the demo visits a day in ten seconds, so only pages of its own web can be added; start revisit serve for yours',
  )
}

/** The usual port, or any other where that is taken and none was asked for. */
async function listening(
  parts: ServiceParts,
  { made: { config }, anyPort }: { made: Configured; anyPort: boolean },
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
