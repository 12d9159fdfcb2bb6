import { readHtml } from '../../content/html-reading.js'
import { type Mask, noiseOf } from '../../content/noise/masks.js'
import type { ReadingRules } from '../../content/reading-rules.js'
import { scriptAdvice, seemsScriptMade } from '../../content/script-made.js'
import { barrelOfPage } from '../../crawler/barrels.js'
import { storedPlanners } from '../../crawler/page-planners.js'
import { PagePolicies } from '../../crawler/page-policies.js'
import { shownProxy } from '../../fetch/proxy.js'
import { charsetOf } from '../../formats/charset.js'
import { shown } from '../../formats/printable-text.js'
import { declaredIn, weighedHints } from '../../hints/weighed-hints.js'
import { humanDuration, humanMoment, humanPeriod } from '../../model/duration.js'
import { howOften, type ShownEstimate, shownEstimate } from '../../model/estimate.js'
import type { WeighedHint } from '../../model/hint.js'
import { type History, historyOf } from '../../model/history.js'
import type { HostRecord } from '../../model/lease.js'
import type { PageRecord } from '../../model/page.js'
import type { Store, Version } from '../../model/store.js'
import { hostHintsFrom, pageHintsFrom } from '../../model/stored-hints.js'
import type { Json, UnixSeconds } from '../../model/units.js'
import {
  ownEstimate,
  type PagePosterior,
  pagePosterior,
} from '../../planner/collection/page-posterior.js'
import { hintWords } from '../../planner/evidence/hint-forecast.js'
import { stateSummary } from '../../planner/learned-step.js'
import { autoWith } from '../../planner/posterior/learner.js'
import { rateEstimator } from '../../planner/registry.js'
import type { Objective } from '../../planner/value/objective.js'
import { pageJson } from '../../server/pages/page-view.js'
import { discoverRules } from '../../visit/discovery.js'
import { hostFrom } from '../../visit/politeness/host-state.js'
import { type FlagsOf, storeCommand } from '../command.js'
import { type CrawlerFlags, configured, withStore } from '../configured.js'
import { type Environment, exitCode } from '../environment.js'
import { namedPage } from '../page-selection.js'
import { pageEstimate, periodWords, verdictWords } from '../text/estimate.js'
import { answer } from '../text/json.js'
import { counted, humanBytes, levelPercent, parseLevel } from '../text/numbers.js'
import { timeAndMoment } from '../text/time.js'
import { type PageStaleness, pageStaleness, stalenessWords } from './estimate/staleness.js'

interface About {
  readonly page: PageRecord
  readonly host: HostRecord | null
}

/** The hints of a page with how far they are trusted. */
function hintsOf({ page, host }: About): readonly WeighedHint[] {
  return weighedHints({ page: pageHintsFrom(page.hints), host: hostHintsFrom(host?.hints) })
}

/** One row for each hint; the first is named. */
function hintRows(about: About & { readonly now: UnixSeconds }): Array<[string, string | null]> {
  return hintsOf(about).map((hint, index) => [index === 0 ? 'hints' : '', hintText(hint, about)])
}

function hintText(hint: WeighedHint, { now }: { readonly now: UnixSeconds }): string {
  const { claim, tally, trusted, reliability } = hint
  const lastChange = claim.says === 'changed-at' ? `, last ${humanMoment(claim.at, now)}` : ''
  const record =
    tally.predicted === 0
      ? 'not yet put to the test'
      : `right ${tally.right} of ${counted(tally.predicted, 'time')}`
  const rating = `reliability ${reliability.toFixed(2)}, ${trusted ? 'trusted' : 'not trusted'}`
  return `${hintWords(hint)}${lastChange} (${record}; ${rating})`
}

/** The same for a program. */
function hintsJson(page: PageRecord, host: HostRecord | null): Json {
  return hintsOf({ page, host }).map(
    ({ kind, claim, reportedAt, reliability, trusted, tally }) => ({
      kind,
      claim: claim as unknown as Json,
      reportedAt,
      reliability: Math.round(reliability * 1e4) / 1e4,
      trusted,
      predicted: tally.predicted,
      right: tally.right,
    }),
  )
}

/** What a page is to lead to, if anything. */
function findsText({ settings }: PageRecord): string | null {
  const rules = discoverRules(settings)
  if (rules === null) return null
  const { depth, pages, include, exclude } = rules
  const only = include.length === 0 ? '' : `, only ${include.join(' ')}`
  const not = exclude.length === 0 ? '' : `, not ${exclude.join(' ')}`
  return `pages up to ${counted(depth, 'link')} from here, at most ${pages}${only}${not}`
}

/** The barrel that `revisit run --barrels` visits it in; null where it declares nothing. */
function barrelText(page: PageRecord): string | null {
  return declaredIn(pageHintsFrom(page.hints)) === null ? null : barrelOfPage(page)
}

const names: Readonly<Record<keyof ReadingRules, string>> = {
  compare: 'compared by',
  bits: 'bits apart',
  pixels: 'pixels that may differ',
  select: 'only',
  ignore: 'without',
  ignoreText: 'without text',
  ignoreLines: 'without lines',
  ignorePaths: 'without paths',
  appear: 'when appears',
  disappear: 'when goes',
}

/** How a page is read, where that is not the usual way, and what is masked on it. */
export function readingFacts({ settings, noise }: PageRecord): Array<[string, string | null]> {
  const rules = Object.entries((settings.reading ?? {}) as ReadingRules)
  const { masks } = noiseOf(noise)
  return [
    ...rules.map(([name, value]): [string, string] => [
      names[name as keyof ReadingRules] ?? name,
      shown(Array.isArray(value) ? value.join('  ') : String(value)),
    ]),
    ['noise check', settings.noiseCheck === true ? 'on' : 'off'],
    ...masks.map((mask): [string, string] => ['masked', maskText(mask)]),
  ]
}

const kinds: Readonly<Record<Mask['kind'], string>> = {
  time: 'a time',
  id: 'an id',
  elapsed: 'a duration',
  run: 'words that rotate',
  link: 'a part of a link',
  rotating: 'texts that take turns from visit to visit',
}

/** `a time after "It is": 12:03:55`. */
function maskText(mask: Mask): string {
  const before = mask.before.filter((each) => each.trim() !== '').join(' ')
  const after = mask.after.filter((each) => each.trim() !== '').join(' ')
  const place =
    before !== '' ? ` after ${inQuotes(before)}` : after !== '' ? ` before ${inQuotes(after)}` : ''
  if (mask.kind === 'rotating') return `${kinds.rotating}: ${mask.texts.length} known`
  return shown(`${kinds[mask.kind]}${place}: ${mask.example.replace(/\s+/g, ' ').slice(0, 60)}`)
}

/** Sources of JSON and script have quotes themselves: `'"time":"'`. */
function inQuotes(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`
}

const options = [
  [
    '-m, --method <name>',
    'the estimator, as in revisit estimate (default: auto, with the prior of its group)',
    rateEstimator,
  ],
  ['-l, --level <share>', 'level of the bounds (default: 0.95)', parseLevel],
] as const

/** `revisit show URL`: all about one page, its estimate from every recorded visit. */
export const showCommand = storeCommand({
  description:
    'All about one page: how often it changes with bounds, from every recorded visit; when it is visited next and why; what is kept of it.',
  arguments: [['<URL>', 'the address of the page']],
  options,
  run: (environment, [address], flags) => show(environment, { address, flags }),
})

async function show(
  environment: Environment,
  { address, flags }: { address: string; flags: FlagsOf<typeof options> & CrawlerFlags },
): Promise<number> {
  const made = await configured(environment, flags)
  const { method: named, level = 0.95 } = flags
  return withStore(
    made,
    async (store) => {
      const page = await namedPage(made, { store, address })
      const history = historyOf(await store.visitsOf(page))
      const planners = await storedPlanners(store, made.config)
      const own = named === undefined ? ownEstimate(page, { planners, history, level }) : null
      const estimator = named ?? autoWith({ law: planners.learnerFor(page).law })
      const estimate =
        own === null ? pageEstimate(history, { estimator, level }) : shownEstimate(own)
      const versions = await store.versionsOf(page)
      const advice = await adviceOn(page, { store, versions })
      const host = await store.getHost(page.host)
      const now = made.crawler.clock.now()
      const posterior = await pagePosterior(page, { planners, history: async () => history, now })
      const policies = new PagePolicies(made.config)
      const objective = planners.objectiveOf(page)
      const hints = hintsJson(page, host)
      const staleness = plannedStaleness(page, { history, level })
      const about = { ...pageJson(page), ...policies.json(page), objective, hints }
      answer(environment, {
        json: flags.json,
        record: {
          ...about,
          estimate,
          posterior,
          staleness: staleness as unknown as Json,
          versions: versions.length,
          advice,
        },
        text: pageText({
          page,
          policies,
          objective,
          host,
          estimate,
          posterior,
          staleness,
          versions,
          advice,
          now,
        }),
      })
      return exitCode.done
    },
    { readOnly: true },
  )
}

/** Contents beyond this have something to compare. */
const mostAdvised = 1_000_000

/** What would help to read the page, by its newest version. */
async function adviceOn(
  { settings }: PageRecord,
  { store, versions }: { readonly store: Store; readonly versions: readonly Version[] },
): Promise<string | null> {
  const newest = versions.at(-1)
  if (newest === undefined || newest.bytes > mostAdvised || settings.browser === true) return null
  if (!/html/i.test(newest.mediaType ?? '')) return null
  const body = await store.snapshot(newest.digest)
  if (body === null) return null
  const html = new TextDecoder(charsetOf(body, newest.mediaType ?? undefined)).decode(body)
  return seemsScriptMade({
    html,
    text: readHtml(html, { url: 'http://localhost/', links: false }).text,
  })
    ? scriptAdvice
    : null
}

/** How stale the copy is if it is always refreshed at the gap that is planned now; by its visits alone. */
function plannedStaleness(
  { due, lastVisit }: PageRecord,
  { history, level }: { readonly history: History | null; readonly level: number },
): PageStaleness | null {
  if (due.at === 'never' || lastVisit === null) return null
  const gap = due.at - lastVisit.at
  return gap > 0 ? pageStaleness(history, { gaps: [gap], level }) : null
}

interface ShownPage {
  readonly page: PageRecord
  readonly policies: PagePolicies
  readonly objective: Objective
  readonly host: HostRecord | null
  readonly estimate: ShownEstimate
  readonly posterior: PagePosterior | null
  readonly staleness: PageStaleness | null
  readonly versions: readonly Version[]
  readonly advice: string | null
  readonly now: UnixSeconds
}

function pageText(known: ShownPage): string {
  const rows = facts(known).filter((row): row is [string, string] => row[1] !== null)
  const widest = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, text]) => `  ${name.padEnd(widest)}  ${text}\n`)
  return `${shown(known.page.url)}\n${lines.join('')}`
}

function facts(known: ShownPage): Array<[string, string | null]> {
  const { page, policies, host, estimate, posterior, versions, now } = known
  const moment = (at: UnixSeconds | null) => (at === null ? null : timeAndMoment(at, now))
  return [
    ['title', page.title === null ? null : shown(page.title)],
    ['it changes', estimateText(estimate)],
    ['change law', posterior === null ? null : posterior.law],
    ['copy', posterior === null ? null : copyText(posterior)],
    ['next visit', nextText(page, now)],
    ['because', page.due.reason],
    ['waits', waitsText(known)],
    ['staleness', stalenessWords(known.staleness)],
    ['visits', visitsText(page)],
    ['last visit', page.lastVisit === null ? 'never' : lastText(page.lastVisit, now)],
    ['last change', moment(page.lastChange)],
    ['copies kept', versionsText(versions)],
    ['advice', known.advice],
    ...hintRows({ page, host, now }),
    ['barrel', barrelText(page)],
    ['moved to', page.movedTo === null ? null : shown(page.movedTo)],
    ['group', page.group === undefined ? null : shown(page.group)],
    ['tags', page.tags.length === 0 ? null : page.tags.map(shown).join(', ')],
    ['importance', page.importance === 1 ? null : String(page.importance)],
    ['policy', policies.text(page)],
    ['objective', known.objective === 'freshness' ? null : known.objective],
    ['shortest gap', gapText(page.settings.shortest)],
    ['longest gap', gapText(page.settings.longest)],
    ['hours', typeof page.settings.hours === 'string' ? `${page.settings.hours} (UTC)` : null],
    ['role', page.settings.role ?? null],
    ['found', page.settings.found === true ? 'by itself, from a page or a list' : null],
    ['finds', findsText(page)],
    ['rendered by', page.settings.browser === true ? 'a browser' : null],
    ['screenshots', page.settings.screenshot === true ? 'kept with each version' : null],
    ['proxy', page.settings.proxy === undefined ? null : shown(shownProxy(page.settings.proxy))],
    ['steps', page.settings.steps?.map(shown).join('; ') ?? null],
    ['headers', Object.keys(page.settings.headers ?? {}).join(', ') || null],
    ...readingFacts(page),
    ['notified', mutedText(page, now)],
    ['watched since', moment(page.addedAt)],
  ]
}

/** True, or until when. */
function mutedText({ settings: { mute } }: PageRecord, now: UnixSeconds): string | null {
  if (mute === true) return 'nobody: it is muted'
  return typeof mute === 'number' && mute > now
    ? `nobody until ${timeAndMoment(mute, now)}: it is muted`
    : null
}

function copyText({ changedByNow }: PagePosterior): string {
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
  const level = bounds === null ? '' : `, ${levelPercent(bounds.level)} bounds`
  const range = bounds === null ? '' : ` ${periodWords(bounds)}`
  const often = verdict === 'no-change-seen' ? humanPeriod(changePeriod) : howOften(estimate)
  return `${often}${stands}${level}${range}, from ${counted(evidence.observations, 'comparison')}`
}

function nextText({ due }: PageRecord, now: UnixSeconds): string {
  if (due.at === 'never') return 'never'
  return due.at <= now ? `due since ${timeAndMoment(due.at, now)}` : timeAndMoment(due.at, now)
}

/** Why a page that is due is not visited yet, where its host rests. */
function waitsText({ page, host, now }: ShownPage): string | null {
  const until = host?.blockedUntil ?? 0
  if (host === null || page.due.at === 'never' || page.due.at > now || until <= now) return null
  const robots = Object.values(hostFrom(page.host, host).robots)
  const why = robots.some((each) => each.failures > 0 && each.until > now)
    ? 'its robots.txt could not be had, and nothing is asked of it before it is tried again'
    : 'for its delay, a budget, or because it asked for that'
  return `its host rests until ${timeAndMoment(until, now)}: ${why}`
}

function visitsText({ visits, changes, failing, gone, state }: PageRecord): string {
  const last = failing === 1 ? 'one failed or was refused' : `${failing} failed or were refused`
  const bad = failing > 0 ? `; the last ${last}` : ''
  const lost = gone > 0 ? `; found gone ${counted(gone, 'time')}` : ''
  return `${visits}, of which ${changes} found a change${bad}${lost}${foldedText(visits, state)}`
}

/** Of a page whose past was folded: what is known of it comes from more visits than are recorded. */
function foldedText(visits: number, state: PageRecord['state']): string {
  const learned = stateSummary(state)
  if (learned === null || learned.visits <= visits) return ''
  return `; learned from ${learned.visits} in all, of which ${learned.changes} did (revisit fold)`
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
