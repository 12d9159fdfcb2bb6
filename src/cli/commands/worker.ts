import { contactWarning } from '../../crawler/contact.js'
import { openCrawler } from '../../crawler/open-crawler.js'
import type { Store } from '../../model/store.js'
import { storeCommand } from '../command.js'
import { type Configured, configured, crawlerOptions, withStore } from '../configured.js'
import { exitCode } from '../environment.js'
import { interruption, SpentBudget } from '../live/crawler-session.js'
import { RunTally } from '../live/live-status.js'
import { visitJson, visitLine } from '../live/visit-line.js'
import { counted } from '../text/numbers.js'
import { setBackAtStart } from './store.js'

/** `revisit worker`: visits and nothing else, beside as many others as there are on the store. */
export const workerCommand = storeCommand({
  description:
    'Visit what is due, as one of any number of processes on one store: no API, no dashboard, no notifications, which one revisit serve --no-crawl has for all. It waits where nothing is watched yet, and goes on until stopped. The first SIGTERM or Ctrl-C finishes what is under way and gives the rest back; a second one stops at once. revisit status shows all workers.',
  options: [['-v, --verbose', 'a line for each visit']],
  async run(environment, _, flags) {
    const made = await configured(environment, flags)
    const work = (store: Store) => visits(made, store, flags)
    return withStore(made, work, { thread: true, patient: true })
  },
})

async function visits(
  made: Configured,
  store: Store,
  flags: { readonly verbose?: boolean; readonly json?: boolean },
): Promise<number> {
  const { crawler: outside, config } = made
  const tell = (text: string) => outside.tell(`${text}\n`)
  const warning = await contactWarning(store, config)
  if (warning !== null) tell(warning)
  await setBackAtStart(made, store)
  const crawler = await openCrawler({ ...crawlerOptions(made, store), role: 'worker' })
  const stop = interruption(made, { store, crawler, note: tell })
  const budget = new SpentBudget(made, tell)
  const tally = new RunTally(outside.clock.now())
  const line = flags.json === true ? visitJson : visitLine
  tell(`worker ${outside.worker} visits what is due in collection "${config.collection}"`)
  try {
    await crawler.run({
      signal: stop.signal,
      note: tell,
      onSpent: (opens) => budget.exhausted(opens),
      onVisit(saved) {
        tally.add(saved.visit, outside.clock.now())
        if (flags.verbose === true) outside.say(`${line(saved)}\n`)
      },
    })
  } finally {
    stop.end()
    await crawler.close()
  }
  tell(`worker ended after ${counted(tally.total, 'visit')}`)
  return exitCode.done
}
