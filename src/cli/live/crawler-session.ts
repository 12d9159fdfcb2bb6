import { isDeepStrictEqual } from 'node:util'
import { type Crawler, type CrawlerOptions, openCrawler } from '../../crawler/open-crawler.js'
import { systemClock } from '../../crawler/system-clock.js'
import type { Store } from '../../model/store.js'
import type { UnixSeconds } from '../../model/units.js'
import { Notifier } from '../../notify/notifier.js'
import { Random } from '../../numeric/random.js'
import { setBackAtStart } from '../commands/store.js'
import { type Configured, crawlerOptions } from '../configured.js'
import { exitCode } from '../environment.js'
import { counted } from '../text/numbers.js'
import { timeAndMoment } from '../text/time.js'

/** What makes visits, and what tells of what they find. */
interface CrawlerSession {
  readonly crawler: Crawler
  readonly notifier: Notifier
  close(): Promise<void>
}

type SessionOptions = Pick<CrawlerOptions, 'barrels' | 'chosen' | 'role'> & {
  readonly store: Store
}

/** Wired from the configuration. */
export async function openSession(
  made: Configured,
  { store, ...kind }: SessionOptions,
): Promise<CrawlerSession> {
  await setBackAtStart(made, store)
  const crawler = await openCrawler({ ...crawlerOptions(made, store), ...kind })
  const notifier = openNotifier(made, store)
  // Whatever of it fails: what stays open would keep the process from ending.
  return { crawler, notifier, close: () => notifier.close().finally(() => crawler.close()) }
}

/** What tells of changes, wired from the configuration. */
export function openNotifier(made: Configured, store: Store): Notifier {
  const { config, crawler, environment, settings } = made
  const notifier = new Notifier({
    store,
    collection: config.collection,
    // Receivers live by the real time, also where visits are made on another.
    clock: { now: () => crawler.clock.now(), sleep: systemClock.sleep },
    random: new Random(environment.seed),
    worker: crawler.worker,
    version: environment.version,
    ...sendingOf(config),
    commands: config.notifyCommands,
    retry: { giveUpAfter: config.notifyGiveUp },
    onError: (error) => crawler.tell(`notifications: ${(error as Error).message}\n`),
  })
  let known = sendingOf(config)
  settings.onChange((values) => {
    const now = sendingOf(values)
    if (isDeepStrictEqual(now, known)) return
    known = now
    notifier.use(now)
  })
  return notifier
}

function sendingOf({ smtp, mailFrom, notifyNetworks, dashboardAddress }: Configured['config']) {
  return {
    allowedNetworks: notifyNetworks,
    dashboard: dashboardAddress,
    mail:
      smtp === null ? undefined : { smtp, from: mailFrom ?? `revisit@${new URL(smtp).hostname}` },
  }
}

/** What was found last is notified before the command ends, if that takes no longer; else by the next. */
const lastWords = 10

/** Makes visits with a crawler, tells of what they find, and closes all, whatever happens. */
export async function withCrawler<T>(
  made: Configured,
  options: SessionOptions,
  task: (crawler: Crawler) => Promise<T>,
): Promise<T> {
  const session = await openSession(made, options)
  const { crawler, notifier } = session
  const end = new AbortController()
  const notifying = notifier.run(end.signal)
  // Awaited at the end; a failure before is not to end the visits under way.
  notifying.catch(() => {})
  try {
    return await task(crawler)
  } finally {
    end.abort()
    await notifying.then(() => notifier.flush({ within: lastWords })).finally(() => session.close())
  }
}

/** The first Ctrl-C finishes what is under way; the second gives it back and ends at once. */
export function interruption(
  { crawler: outside }: Configured,
  {
    store,
    crawler,
    note,
  }: {
    readonly store: Store
    readonly crawler: Crawler
    /** Hears how many visits are waited for. */
    readonly note?: (text: string) => void
  },
): { signal: AbortSignal; end(): void } {
  const stop = new AbortController()
  const off = outside.onInterrupt(() => {
    if (stop.signal.aborted) {
      void store.releaseWorker(outside.worker).finally(() => outside.exitNow(exitCode.interrupted))
      return
    }
    const { underWay } = crawler
    if (underWay > 0)
      note?.(`stopping once ${underWay} under way have ended; Ctrl-C again stops at once`)
    stop.abort()
  })
  return { signal: stop.signal, end: off }
}

/** That the day's budget of requests is used up, and when it opens again. */
export function spentText({
  requestsPerDay,
  opens,
  now,
}: {
  readonly requestsPerDay: number | null
  readonly opens: UnixSeconds
  readonly now: UnixSeconds
}): string {
  const budget = counted(requestsPerDay ?? 0, 'request')
  return `the day's budget of ${budget} (requests-per-day) is used up; it opens again at ${timeAndMoment(opens, now)}`
}

/** Says so once for each day: every page that is due finds it out. */
export class SpentBudget {
  readonly #with: Configured
  readonly #note: (text: string) => void
  #opens: UnixSeconds = -Infinity

  constructor(configured: Configured, note: (text: string) => void) {
    this.#with = configured
    this.#note = note
  }

  exhausted(opens: UnixSeconds): void {
    if (opens === this.#opens) return
    this.#opens = opens
    const { config, crawler } = this.#with
    this.#note(spentText({ ...config, opens, now: crawler.clock.now() }))
  }

  /** Whether pages are due still for want of requests. */
  get isSpent(): boolean {
    return this.#with.crawler.clock.now() < this.#opens
  }
}
