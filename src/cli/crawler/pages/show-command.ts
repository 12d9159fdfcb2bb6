import type { AutoMinds } from '../../../engine/index.js'
import {
  autoWith,
  chanceOfChange,
  lawInWords,
  memoryOf,
  rateEstimator,
} from '../../../estimate/index.js'
import { shown } from '../../../formats/index.js'
import {
  type Estimate,
  type History,
  type HostRecord,
  historyOf,
  humanPeriod,
  type PageRecord,
  type UnixSeconds,
  type Version,
} from '../../../model/index.js'
import { pageJson } from '../../../server/page-json.js'
import { pageEstimate } from '../../estimate/page-estimate.js'
import { exitCode } from '../../exit-code.js'
import { counted } from '../../text/counted.js'
import { humanBytes } from '../../text/human-bytes.js'
import { timeAndMoment } from '../../text/human-moment.js'
import { parseLevel } from '../../text/parse-share.js'
import { periodWords } from '../../text/period-words.js'
import { verdictWords } from '../../text/verdict-words.js'
import type { World } from '../../world.js'
import { type CrawlerFlags, configured } from '../configured.js'
import { storedMinds } from '../minds.js'
import { withStore } from '../open-store.js'
import { barrelText, findsText, hintRows, hintsJson } from './hint-text.js'
import { namedPage } from './named-page.js'
import { readingFacts } from './reading-facts.js'

export interface ShowFlags extends CrawlerFlags {
  readonly method?: string
  readonly level?: string
}

/** `revisit show URL`: all about one page, its estimate from every recorded visit. */
export async function showCommand(
  world: World,
  { address, flags }: { address: string; flags: ShowFlags },
): Promise<number> {
  const made = await configured(world, flags)
  const named = flags.method === undefined ? undefined : rateEstimator(flags.method)
  const level = flags.level === undefined ? 0.95 : parseLevel(flags.level, '--level')
  return withStore(
    made,
    async (store) => {
      const page = await namedPage(made, { store, address })
      const history = historyOf(await store.visitsOf(page))
      const minds = await storedMinds(store, made.config)
      const estimator = named ?? autoWith({ law: minds.learnerFor(page).law })
      const estimate = pageEstimate(history, { estimator, level })
      const versions = await store.versionsOf(page)
      const host = await store.getHost(page.host)
      const now = made.crawler.clock.now()
      const belief = beliefOf(page, { minds, history, now })
      if (flags.json === true)
        world.out.write(
          `${JSON.stringify({ ...pageJson(page), hints: hintsJson(page, host), estimate, belief, versions: versions.length })}\n`,
        )
      else world.out.write(pageText({ page, host, estimate, belief, versions, now }))
      return exitCode.done
    },
    { readOnly: true },
  )
}

interface Told {
  readonly page: PageRecord
  readonly host: HostRecord | null
  readonly estimate: Estimate
  readonly belief: Belief | null
  readonly versions: readonly Version[]
  readonly now: UnixSeconds
}

function pageText(told: Told): string {
  const rows = facts(told).filter((row): row is [string, string] => row[1] !== null)
  const widest = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, text]) => `  ${name.padEnd(widest)}  ${text}\n`)
  return `${shown(told.page.url)}\n${lines.join('')}`
}

function facts(told: Told): Array<[string, string | null]> {
  const { page, host, estimate, belief, versions, now } = told
  const moment = (at: UnixSeconds | null) => (at === null ? null : timeAndMoment(at, now))
  return [
    ['it changes', estimateText(estimate)],
    ['believed', belief === null ? null : belief.law],
    ['copy', belief === null ? null : copyText(belief)],
    ['next visit', nextText(page, now)],
    ['because', page.due.reason],
    ['visits', visitsText(page)],
    ['last visit', page.lastVisit === null ? 'never' : lastText(page.lastVisit, now)],
    ['last change', moment(page.lastChange)],
    ['copies kept', versionsText(versions)],
    ...hintRows({ page, host, now }),
    ['barrel', barrelText(page)],
    ['moved to', page.movedTo === null ? null : shown(page.movedTo)],
    ['group', page.group === undefined ? null : shown(page.group)],
    ['importance', page.importance === 1 ? null : String(page.importance)],
    ['policy', page.settings.policy ?? null],
    ['hours', typeof page.settings.hours === 'string' ? `${page.settings.hours} (UTC)` : null],
    ['role', page.settings.role ?? null],
    ['finds', findsText(page)],
    ['headers', Object.keys(page.settings.headers ?? {}).join(', ') || null],
    ...readingFacts(page),
    ['watched since', moment(page.addedAt)],
  ]
}

/** What the default believes of a page that was compared at least once. */
interface Belief {
  /** The law, in words. */
  readonly law: string
  /** Chance that the page has changed since it was last seen. */
  readonly changedByNow: number
}

/** From the numbers in the page's row, or from its visits where another policy follows it. */
function beliefOf(
  page: PageRecord,
  { minds, history, now }: { minds: AutoMinds; history: History | null; now: UnixSeconds },
): Belief | null {
  if (history === null || history.observations.length === 0 || page.lastSeen === null) return null
  const learner = minds.learnerFor(page)
  const memory = minds.memoryOf(page) ?? memoryOf(history, learner)
  const belief = learner.belief(memory)
  const gap = learner.clockGap(memory, { at: now, gap: Math.max(0, now - page.lastSeen) })
  return { law: lawInWords(belief), changedByNow: chanceOfChange(belief, gap) }
}

function copyText({ changedByNow }: Belief): string {
  const chance = Math.round(100 * changedByNow)
  if (chance < 1) return 'fresh, as good as certainly'
  return chance > 99 ? 'stale by now, as good as certainly' : `${chance}% likely to be stale by now`
}

function estimateText({ changePeriod, bounds, verdict, evidence }: Estimate): string {
  const stands = verdict === 'ok' ? '' : ` (${verdictWords[verdict]})`
  if (changePeriod === null && bounds === null) return verdictWords[verdict]
  const level = bounds === null ? '' : `, ${Number((100 * bounds.level).toPrecision(6))}% bounds`
  const range = bounds === null ? '' : ` ${periodWords(bounds)}`
  return `${humanPeriod(changePeriod)}${stands}${level}${range}, from ${counted(evidence.observations, 'comparison')}`
}

function nextText({ due }: PageRecord, now: UnixSeconds): string {
  if (due.at === 'never') return 'never'
  return due.at <= now ? `due since ${timeAndMoment(due.at, now)}` : timeAndMoment(due.at, now)
}

function visitsText({ visits, changes, failing, gone }: PageRecord): string {
  const bad = failing > 0 ? `; the last ${failing} failed or were refused` : ''
  const lost = gone > 0 ? `; found gone ${counted(gone, 'time')}` : ''
  return `${visits}, of which ${changes} found a change${bad}${lost}`
}

function lastText({ at, outcome, status }: NonNullable<PageRecord['lastVisit']>, now: UnixSeconds) {
  return `${timeAndMoment(at, now)}: ${outcome}${status === null ? '' : `, status ${status}`}`
}

function versionsText(versions: readonly Version[]): string {
  const bytes = versions.reduce((sum, each) => sum + each.bytes, 0)
  return versions.length === 0 ? 'none yet' : `${versions.length} (${humanBytes(bytes)})`
}
