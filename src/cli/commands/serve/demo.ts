import { DemoLoop } from '../../../lab/demo/demo-loop.js'
import { collection } from '../../../lab/demo/demo-store.js'
import {
  DemoWatch,
  type PageFinding,
  pageNumbers,
  steadyShare,
} from '../../../lab/demo/demo-watch.js'
import { demoOrigin } from '../../../lab/demo-web/demo-web.js'
import { InputError, OptionError } from '../../../model/errors.js'
import { isList } from '../../../model/page.js'
import { DAY, type Seconds, type UnixSeconds } from '../../../model/units.js'
import { staleByNow } from '../../../planner/collection/page-posterior.js'
import type { DemoAnswer, DemoTruth } from '../../../server/collection/demo.js'
import type { Configured } from '../../configured.js'
import { exitCode } from '../../environment.js'
import { isStandIn } from '../../text/estimate.js'
import { demoSettings } from '../demo/options.js'
import { openServing } from './service.js'

/** Real milliseconds that an answer is good for at least, and how many times what it took, visits in between among it. */
const goodFor = 3000
const costFactor = 2

/** What the demo web knows, for the dashboard. It costs an estimate of every page, so it is kept a while. */
export class DemoReporter implements DemoTruth {
  readonly speed: number
  readonly #watch: DemoWatch
  /** What was predicted and what was true at moments of the last day. */
  #moments: Moment[] = []
  #report: Promise<DemoAnswer> | undefined
  #goodUntil = 0

  constructor(watch: DemoWatch, { speed }: { readonly speed: number }) {
    this.speed = speed
    this.#watch = watch
  }

  report(): Promise<DemoAnswer> {
    if (this.#report === undefined || performance.now() > this.#goodUntil) {
      this.#goodUntil = Infinity
      this.#report = this.#answer()
    }
    return this.#report
  }

  async #answer(): Promise<DemoAnswer> {
    const began = performance.now()
    const { loop, meter, tally } = this.#watch
    const findings = await this.#watch.findings(loop.web.truth())
    const { revisit, fixed } = meter.scores()
    const now = loop.web.clock.now()
    const cost = performance.now() - began
    this.#goodUntil = performance.now() + Math.max(goodFor, costFactor * cost)
    return {
      now,
      origin: demoOrigin,
      speed: this.speed,
      visits: tally.total,
      requests: loop.web.requests().total,
      freshness: { revisit: revisit.freshness, fixedSchedule: fixed.freshness },
      learning: !(revisit.freshness > fixed.freshness),
      day: Math.floor((now - demoOrigin) / DAY) + 1,
      byDay: meter.days().map(({ fixed: fixedSchedule, ...day }) => ({ ...day, fixedSchedule })),
      freshNow: meter.freshNow(),
      predicted: await this.#predicted(),
      steady: steadyShare(findings),
      pages: findings.map(pageReport),
    }
  }

  /** The mean share of copies that should be fresh by the posteriors, and that was, at the same moments. */
  async #predicted(): Promise<DemoAnswer['predicted']> {
    const { loop, meter } = this.#watch
    const { planners } = loop.crawler.controller
    const { pages } = await loop.store.listPages({ collection, limit: 10_000 })
    const now = loop.web.clock.now()
    const stale = pages
      .filter((page) => !isList(page.settings))
      .flatMap((page) => staleByNow(page, { planners, now }) ?? [])
    if (stale.length > 0) {
      const predicted = 1 - stale.reduce((sum, each) => sum + each, 0) / stale.length
      this.#moments.push({ at: now, predicted, measured: meter.freshNow() })
    }
    this.#moments = this.#moments.filter(({ at }) => at > now - DAY)
    if (this.#moments.length === 0) return null
    return {
      share: meanOf(this.#moments, 'predicted'),
      measured: meanOf(this.#moments, 'measured'),
    }
  }
}

interface Moment {
  readonly at: UnixSeconds
  readonly predicted: number
  readonly measured: number
}

function meanOf(moments: readonly Moment[], share: 'predicted' | 'measured'): number {
  return moments.reduce((sum, each) => sum + each[share], 0) / moments.length
}

function pageReport(finding: PageFinding): DemoAnswer['pages'][number] {
  const { estimate } = finding
  const numbers = pageNumbers(finding)
  // A page that changed at every visit, or at none, has bounds but no period.
  const standsIn = estimate !== null && isStandIn(estimate.verdict)
  return standsIn ? { ...numbers, estimatedPeriod: null } : numbers
}

interface ServeDemoFlags {
  readonly json?: boolean
  readonly port?: unknown
  readonly speed?: number
  readonly own?: string
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
  const { hints } = made.config
  const past = flags.past === false ? 0 : pastTime
  const { version } = made.environment
  const loop = await DemoLoop.open({ ...settings, hints, past, version })
  try {
    const { speed } = settings
    const [anyPort, json] = [flags.port === undefined, flags.json === true]
    await serveLoop(loop, { made, speed, anyPort, json, stop, own: ownAddress(flags.own) })
    return exitCode.done
  } finally {
    forget()
    await loop.close()
  }
}

/** The dashboard leads there by a link. */
function ownAddress(text: string | undefined): string | undefined {
  if (text === undefined || /^https?:\/\//i.test(text)) return text
  throw new OptionError('bad-option', '--own takes an address, such as http://127.0.0.1:7400')
}

async function serveLoop(
  loop: DemoLoop,
  run: {
    made: Configured
    speed: number
    anyPort: boolean
    json: boolean
    stop: AbortController
    own: string | undefined
  },
): Promise<void> {
  const { made, speed, anyPort, json, stop, own } = run
  const watch = new DemoWatch(loop, { wall: () => performance.now() / 1000 })
  const demo = new DemoReporter(watch, { speed })
  const serving = await openServing(made, {
    store: loop.store,
    clock: loop.web.clock,
    collection,
    crawler: loop.crawler,
    crawling: true,
    settings: { demo: true, speed, policy: 'auto', hints: made.config.hints },
    address: (text) => demoAddress(text, loop),
    demo,
    pollEvery: 0.5,
    own,
    anyPort,
    json,
  })
  made.crawler.tell('Open it in a browser: a sample web, a day in ten seconds. Ctrl-C ends it.\n')
  try {
    // Before time passes: the first picture shows what was made, and nothing waits for it.
    await demo.report()
    loop.begin()
    await loop.crawler.run({
      signal: stop.signal,
      onVisit(saved) {
        watch.visited(saved)
        serving.feed.nudge()
      },
    })
  } finally {
    serving.loop.running = false
    await serving.close()
  }
}

/**
 * The demo's clock makes a minute's rest of a host last milliseconds: no site
 * but its own may be asked at that rate.
 */
function demoAddress(text: string, { web }: DemoLoop): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && web.sites.some(({ base }) => base === url.origin)) return url.href
  throw new InputError(
    'not-in-demo',
    'the demo visits a day in ten seconds, so only pages of its own web can be added; start revisit serve for yours',
  )
}
