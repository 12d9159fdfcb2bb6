import { ownEstimate, type PageBelief, pageBelief } from '../../../engine/index.js'
import { autoWith, rateEstimator } from '../../../estimate/index.js'
import { shown } from '../../../formats/index.js'
import {
  type HostRecord,
  historyOf,
  howOften,
  humanDuration,
  humanPeriod,
  type Json,
  type PageRecord,
  type ShownEstimate,
  shownEstimate,
  type UnixSeconds,
  type Version,
} from '../../../model/index.js'
import type { Objective } from '../../../schedule/index.js'
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
import { PagePolicies } from '../page-policies.js'
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
      const own = named === undefined ? ownEstimate(page, { minds, history, level }) : null
      const estimator = named ?? autoWith({ law: minds.learnerFor(page).law })
      const estimate =
        own === null ? pageEstimate(history, { estimator, level }) : shownEstimate(own)
      const versions = await store.versionsOf(page)
      const host = await store.getHost(page.host)
      const now = made.crawler.clock.now()
      const belief = await pageBelief(page, { minds, history: async () => history, now })
      const policies = new PagePolicies(made.config)
      const objective = minds.objectiveOf(page)
      if (flags.json === true)
        world.out.write(
          `${JSON.stringify({ ...pageJson(page), ...policies.json(page), objective, hints: hintsJson(page, host), estimate, belief, versions: versions.length })}\n`,
        )
      else
        world.out.write(
          pageText({ page, policies, objective, host, estimate, belief, versions, now }),
        )
      return exitCode.done
    },
    { readOnly: true },
  )
}

interface Told {
  readonly page: PageRecord
  readonly policies: PagePolicies
  readonly objective: Objective
  readonly host: HostRecord | null
  readonly estimate: ShownEstimate
  readonly belief: PageBelief | null
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
  const { page, policies, host, estimate, belief, versions, now } = told
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
    ['policy', policies.text(page)],
    ['objective', told.objective === 'freshness' ? null : told.objective],
    ['shortest gap', gapText(page.settings.shortest)],
    ['longest gap', gapText(page.settings.longest)],
    ['hours', typeof page.settings.hours === 'string' ? `${page.settings.hours} (UTC)` : null],
    ['role', page.settings.role ?? null],
    ['found', page.settings.found === true ? 'by itself, from a page or a list' : null],
    ['finds', findsText(page)],
    ['drawn by', page.settings.browser === true ? 'a browser' : null],
    ['headers', Object.keys(page.settings.headers ?? {}).join(', ') || null],
    ...readingFacts(page),
    ['watched since', moment(page.addedAt)],
  ]
}

function copyText({ changedByNow }: PageBelief): string {
  const chance = Math.round(100 * changedByNow)
  if (chance < 1) return 'fresh, as good as certainly'
  return chance > 99 ? 'stale by now, as good as certainly' : `${chance}% likely to be stale by now`
}

function estimateText(estimate: ShownEstimate): string {
  const { changePeriod, bounds, verdict, evidence, group } = estimate
  const known = verdict === 'ok' || verdict === 'always-changed'
  const stands = known ? '' : ` (${verdictWords[verdict]})`
  if (group !== undefined) return `unknown; ${howOften(estimate)}`
  if (changePeriod === null && bounds === null) return verdictWords[verdict]
  const level = bounds === null ? '' : `, ${Number((100 * bounds.level).toPrecision(6))}% bounds`
  const range = bounds === null ? '' : ` ${periodWords(bounds)}`
  const often = verdict === 'no-change-seen' ? humanPeriod(changePeriod) : howOften(estimate)
  return `${often}${stands}${level}${range}, from ${counted(evidence.observations, 'comparison')}`
}

function nextText({ due }: PageRecord, now: UnixSeconds): string {
  if (due.at === 'never') return 'never'
  return due.at <= now ? `due since ${timeAndMoment(due.at, now)}` : timeAndMoment(due.at, now)
}

function visitsText({ visits, changes, failing, gone }: PageRecord): string {
  const last = failing === 1 ? 'one failed or was refused' : `${failing} failed or were refused`
  const bad = failing > 0 ? `; the last ${last}` : ''
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

function gapText(limit: Json | undefined): string | null {
  return typeof limit === 'number' ? humanDuration(limit) : null
}
