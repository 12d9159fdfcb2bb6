import { requireContact } from '../../crawler/contact.js'
import type { Crawler } from '../../crawler/open-crawler.js'
import type { SavedVisit } from '../../crawler/unsaved-visits.js'
import { humanDuration, humanMoment } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import type { Store, StoreHealth } from '../../model/store.js'
import type { UnixSeconds } from '../../model/units.js'
import { type FlagsOf, storeCommand } from '../command.js'
import { type Configured, type CrawlerFlags, configured, withStore } from '../configured.js'
import { exitCode } from '../environment.js'
import { interruption, SpentBudget, withCrawler } from '../live/crawler-session.js'
import { LiveStatus, RunTally } from '../live/live-status.js'
import { visitJson, visitLine, visitWords } from '../live/visit-line.js'
import { settings } from '../settings/settings.js'
import { policiesHelp } from '../text/kind-list.js'
import { counted, humanBytes } from '../text/numbers.js'
import { parseUntil } from '../text/time.js'

/** What a run came to, in one sentence. */
function closingText({
  tally,
  health,
  spent,
  now,
}: {
  readonly tally: RunTally
  readonly health: StoreHealth
  /** Whether the budget of requests is used up. */
  readonly spent: boolean
  readonly now: UnixSeconds
}): string {
  const { total, byOutcome, notModified, bytes, since } = tally
  const done = `${counted(total, 'visit')}, ${counted(byOutcome.changed, 'change')}, ${notModified} not modified, ${byOutcome.failed} failed; ${humanBytes(bytes)} in ${humanDuration(now - since)}`
  return `${done}; ${next(health, { spent, now })}`
}

function next(
  { dueNow, oldestDue }: StoreHealth,
  { spent, now }: { readonly spent: boolean; readonly now: UnixSeconds },
): string {
  if (dueNow > 0) {
    const due = `${counted(dueNow, 'page')} still due`
    return spent
      ? `${due}, with the day's budget of requests used up`
      : `${due}, whose hosts rest or were not reached`
  }
  return oldestDue === null
    ? 'nothing is due any more'
    : `the next is due ${humanMoment(oldestDue, now)}`
}

const options = [
  [
    '--once',
    'end when nothing is due, or requests-per-day is used up (hosts that rest longer than longest-delay wait)',
  ],
  ['--until <time>', 'end after a while (2h), at an hour in UTC (18:30) or at a time'],
  ['--barrels', 'by what pages declare, a crawler for each barrel: daily, weekly, monthly, static'],
  ['-q, --quiet', 'no line for each visit, no live view'],
] as const

type RunFlags = FlagsOf<typeof options> & CrawlerFlags

/** `revisit run`: visits what is due until it is stopped. */
export const runCommand = storeCommand({
  description:
    'Visit what is due, learn from it when to come back, and go on until stopped. At a terminal it shows a live view, elsewhere one line for each visit. Ctrl-C finishes what is under way; a second one stops at once.',
  options,
  more: policiesHelp,
  async run(environment, _, flags) {
    const made = await configured(environment, flags)
    const visitAll = async (store: Store) => {
      const { collection } = made.config
      if ((await store.countPages({ collection })) === 0) throw nothingWatched(made)
      await requireContact(store, made.config)
      return withCrawler(made, { store, barrels: flags.barrels === true }, (crawler) =>
        run(made, { store, crawler, flags }),
      )
    }
    return withStore(made, visitAll, { thread: true, patient: flags.once !== true })
  },
})

function nothingWatched({ config }: Configured): OptionError {
  return new OptionError(
    'nothing-watched',
    `no page is watched in collection "${config.collection}" of ${settings.database.kind.write(config.database)}; begin with revisit watch https://...`,
  )
}

async function run(
  made: Configured,
  { store, crawler, flags }: { store: Store; crawler: Crawler; flags: RunFlags },
): Promise<number> {
  const { clock } = made.crawler
  const tally = new RunTally(clock.now())
  const until =
    flags.until === undefined
      ? {}
      : { until: parseUntil(flags.until, { option: '--until', now: clock.now() }) }
  const view = viewOf(made, { store, crawler, flags, tally })
  const stop = interruption(made, { store, crawler, note: (text) => view.note(text) })
  const budget = new SpentBudget(made, (text) => view.note(text))
  try {
    await crawler.run({
      signal: stop.signal,
      once: flags.once === true,
      patience: made.config.longestDelay,
      ...until,
      note: (text) => view.note(text),
      onSpent: (opens) => budget.exhausted(opens),
      onRest: restNote(made, (text) => view.note(text)),
      onVisit(made) {
        tally.add(made.visit, clock.now())
        view.visited(made)
      },
    })
  } finally {
    stop.end()
    await view.end()
  }
  const health = await store.health({ collection: made.config.collection, now: clock.now() })
  if (flags.json !== true)
    made.crawler.tell(
      `${closingText({ tally, health, spent: budget.isSpent, now: clock.now() })}\n`,
    )
  return exitCode.done
}

/** A run that waits in silence looks like one that hangs: it is said where it takes longer than this, and no oftener than that. */
const [longWait, noteEvery] = [10, 60]

function restNote({ crawler }: Configured, note: (text: string) => void) {
  let notedAt = -Infinity
  return (until: UnixSeconds) => {
    const now = crawler.clock.now()
    if (until - now < longWait || now - notedAt < noteEvery) return
    notedAt = now
    note(`waiting ${humanDuration(until - now)}: the hosts of all pages that are due rest`)
  }
}

interface View {
  note(text: string): void
  visited(made: SavedVisit): void
  end(): Promise<void>
}

/** A live view at a terminal, else a line for each visit. */
function viewOf(
  { environment, crawler, config }: Configured,
  parts: { store: Store; crawler: Crawler; flags: RunFlags; tally: RunTally },
): View {
  const { store, flags, tally } = parts
  const note = (text: string) => crawler.tell(`${text}\n`)
  if (flags.quiet === true) return { note, visited: () => {}, end: async () => {} }
  if (environment.out.columns === undefined || flags.json === true) {
    const text = flags.json === true ? visitJson : visitLine
    return {
      note,
      visited: (made) => crawler.say(`${text(made)}\n`),
      end: async () => {},
    }
  }
  const live = new LiveStatus({
    crawler,
    store,
    collection: config.collection,
    columns: () => environment.out.columns ?? 80,
    tally,
    underWay: () => parts.crawler.underWay,
  })
  return {
    note: (text) => live.note(text),
    visited: (made) => live.visited(visitWords(made)),
    end: () => live.end(),
  }
}
