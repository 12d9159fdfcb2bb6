import { contactWarning } from '../../../crawler/contact.js'
import type { Crawler } from '../../../crawler/open-crawler.js'
import { OptionError } from '../../../model/errors.js'
import type { Store } from '../../../model/store.js'
import type { Notifier } from '../../../notify/notifier.js'
import { storeCommand } from '../../command.js'
import { type Configured, configured, withStore } from '../../configured.js'
import { exitCode } from '../../environment.js'
import { interruption, openSession, SpentBudget } from '../../live/crawler-session.js'
import { parseNumber } from '../../text/numbers.js'
import { checkListen, openServing } from './service.js'

const options = [
  ['--no-crawl', 'serve only: another process, or outside fetchers, make the visits'],
  ['--barrels', 'by what pages declare, a crawler for each barrel: daily, weekly, monthly, static'],
  ['--demo', 'serve a sample web instead of your pages, with its truth beside the estimates'],
  ['--speed <times>', 'with --demo: demo seconds per real second (default: 8640)', parseNumber],
  ['--own <address>', 'with --demo: where the service with your own pages is, for the way back'],
  ['--no-past', 'with --demo: begin with nothing known instead of two weeks of visits'],
] as const

/** `revisit serve`: the API, and the loop on the same store beside it, in one process. */
export const serveCommand = storeCommand({
  description:
    'Serve the dashboard and the HTTP API (docs at /docs), and visit what is due beside it, until stopped. It listens on this machine alone; on another address (--listen) every request for data must bring a key, made with revisit key add NAME. It logs to standard error. Ctrl-C finishes what is under way.',
  options,
  async run(environment, _, flags) {
    const made = await configured(environment, flags)
    checkListen(made.config)
    if (flags.demo === true) {
      if (flags.barrels === true)
        throw new OptionError(
          'options-conflict',
          '--barrels and --demo do not go together; revisit demo --policy barrels shows barrels on the sample web',
        )
      return (await import('./demo.js')).serveDemo(made, flags)
    }
    const serveStore = async (store: Store) => {
      const crawling = flags.crawl !== false
      const warning = crawling ? await contactWarning(store, made.config) : null
      if (warning !== null) made.crawler.tell(`${warning}\n`)
      const barrels = flags.barrels === true
      const session = await openSession(made, { store, barrels, role: 'serve' })
      const json = flags.json === true
      return serve(made, { ...session, store, crawling, json }).finally(session.close)
    }
    // Not on a thread: there readers wait longer, and no more visits are made (docs/notes/crawl-speed.md).
    return withStore(made, serveStore, { patient: true })
  },
})

interface Parts {
  readonly store: Store
  readonly crawler: Crawler
  readonly crawling: boolean
  readonly notifier: Notifier
  readonly json: boolean
}

async function serve(made: Configured, parts: Parts): Promise<number> {
  const { store, crawler, crawling, notifier, json } = parts
  const { config, crawler: outside } = made
  const stop = interruption(made, { store, crawler })
  const serving = await openServing(made, {
    store,
    clock: outside.clock,
    collection: config.collection,
    crawler,
    crawling,
    settings: {},
    live: {
      rows: () => made.settings.rows(),
      async change(changes) {
        await made.settings.change(store, changes, outside.clock.now())
        await crawler.use(made.config)
      },
    },
    notify: {
      get allowedNetworks() {
        return made.config.notifyNetworks
      },
      get dashboard() {
        return made.config.dashboardAddress
      },
      test: (channel) => notifier.test(channel),
    },
    json,
  }).catch((error) => {
    stop.end()
    throw error
  })
  const budget = new SpentBudget(made, (text) => outside.tell(`${text}\n`))
  const end = new AbortController()
  const { signal } = stop
  const notifying = notifier.run(AbortSignal.any([signal, end.signal]))
  // Awaited at the end; a failure before is not to end the visits under way.
  notifying.catch(() => {})
  try {
    if (!crawling) await crawler.follow(signal)
    else
      await crawler.run({
        signal,
        onSpent: (opens) => budget.exhausted(opens),
        onVisit: () => serving.feed.nudge(),
      })
    return exitCode.done
  } finally {
    serving.loop.running = false
    stop.end()
    end.abort()
    // Whatever of it fails: what stays open would keep the process from ending.
    await notifying.finally(() => serving.close())
  }
}
