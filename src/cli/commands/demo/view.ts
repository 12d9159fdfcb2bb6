import { collection } from '../../../lab/demo/demo-store.js'
import {
  type DemoWatch,
  isDue,
  isKnown,
  type PageFinding,
  type PageNumbers,
  pageNumbers,
  type SteadyShare,
  samplePages,
  steadyShare,
} from '../../../lab/demo/demo-watch.js'
import { demoOrigin } from '../../../lab/demo-web/demo-web.js'
import type { PageTruth } from '../../../lab/demo-web/web-truth.js'
import { humanDuration, humanPeriod } from '../../../model/duration.js'
import { howOften, shownEstimate, type Verdict } from '../../../model/estimate.js'
import type { Outcome } from '../../../model/history.js'
import type { StoreHealth } from '../../../model/store.js'
import { DAY, HOUR, MINUTE, percent, type Seconds, type UnixSeconds } from '../../../model/units.js'
import { periodWords } from '../../text/estimate.js'
import { humanBytes } from '../../text/numbers.js'
import { columns, tableText } from '../../text/table.js'
import type { DemoSettings } from './options.js'

/** Pages with what is thought of them beside what is true, as lines of text. */
function findingTable(
  findings: readonly PageFinding[],
  { room }: { readonly room: number | undefined },
): string[] {
  const titles = ['page', 'changes', 'truly', 'estimated', '95% bounds']
  const table = {
    columns: columns(...titles, '>visits', '>changes\nseen', '>\nreal'),
    rows: findings.map(cells),
  }
  return tableText(table, room).trimEnd().split('\n')
}

function cells({ truth, estimate, page }: PageFinding): string[] {
  return [
    `${truth.site} ${truth.title}`,
    truth.law,
    humanPeriod(truth.changePeriod),
    estimated(estimate),
    periodWords(estimate?.bounds ?? null),
    String(page.visits),
    String(page.changes),
    String(truth.changes),
  ]
}

/** In brackets what only stands in for a number. */
function estimated(estimate: PageFinding['estimate']): string {
  const text = estimate === null ? 'unknown' : howOften(shownEstimate(estimate))
  return text === 'unknown' ? '-' : text
}

/** The demo's time from its beginning: `day 3, 14:05`. */
export function demoDay(at: UnixSeconds, { origin }: { readonly origin: UnixSeconds }): string {
  const day = Math.floor((at - origin) / DAY) + 1
  const clock = at % DAY
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `day ${day}, ${two(clock / HOUR)}:${two((clock % HOUR) / MINUTE)}`
}

function steadyWords({ due, within, share }: SteadyShare): string {
  if (share === null) return 'no steady page was due to change five times yet'
  return `${within} of ${due} steady pages that were due to change five times (${percent(share)})`
}

/** The freshness of both, and that it learns while it is not ahead. */
export function freshWords({
  revisit,
  fixedSchedule,
}: {
  readonly revisit: number
  readonly fixedSchedule: number
}): string {
  const learning = revisit > fixedSchedule ? '' : ' (still learning)'
  return `Fresh ${percent(revisit)} of the time${learning}; a fixed schedule with as many requests: ${percent(fixedSchedule)}`
}

/** All pages are estimated only every so many frames: it costs as much as the visits. */
const framesBetween = 5

/** The demo as a person sees it, frame by frame. */
export class LiveView {
  readonly #watch: DemoWatch
  readonly #speed: number
  readonly #sample: ReadonlySet<string>
  #steady: SteadyShare = { due: 0, within: 0, share: null }
  #frames = 0
  #before = { total: 0, elapsed: 0 }

  constructor(watch: DemoWatch, { speed }: { readonly speed: number }) {
    this.#watch = watch
    this.#speed = speed
    this.#sample = new Set(samplePages(watch.loop.web.truth()).map(({ url }) => url))
  }

  async lines({ columns }: { readonly columns: number }): Promise<string[]> {
    const { loop } = this.#watch
    const truths = loop.web.truth()
    if (this.#frames++ % framesBetween === 0) await this.#estimateAll(truths)
    const sample = truths.filter(({ url }) => this.#sample.has(url)).sort(byLaw)
    const table = findingTable(await this.#watch.findings(sample), { room: columns - 1 })
    return [...(await this.#head()), '', ...table]
  }

  /** One line for where nobody sees the view. */
  async line(): Promise<string> {
    await this.#estimateAll(this.#watch.loop.web.truth())
    const { revisit, fixed } = this.#watch.meter.scores()
    return `${this.#day()}: ${this.#visits()}; freshness ${revisit.freshness.toFixed(2)} (fixed schedule ${fixed.freshness.toFixed(2)}${revisit.freshness > fixed.freshness ? '' : '; still learning'}); within a factor of 2: ${steadyWords(this.#steady)}`
  }

  async #head(): Promise<string[]> {
    const { loop, tally, meter } = this.#watch
    const now = loop.web.clock.now()
    const health = await loop.store.health({ collection, now })
    const { revisit, fixed } = meter.scores()
    return [
      `Revisit demo: ${this.#day()}, ${this.#speed} times as fast as life. Ctrl-C ends it.`,
      '',
      `${this.#visits()}, ${this.#visitsPerSecond()} visits/s, ${underWay(health)}, ${humanBytes(tally.bytes)} received`,
      freshWords({ revisit: revisit.freshness, fixedSchedule: fixed.freshness }),
      `Change period within a factor of 2 of the truth: ${steadyWords(this.#steady)}`,
    ]
  }

  #day(): string {
    return demoDay(this.#watch.loop.web.clock.now(), { origin: demoOrigin })
  }

  #visits(): string {
    const { total, byOutcome, notModifiedShare } = this.#watch.tally
    return `${total} visits, ${byOutcome.changed} changes found, ${percent(notModifiedShare)} not modified (304)`
  }

  /** Visits a real second since the frame before. */
  #visitsPerSecond(): string {
    const { total, elapsed } = this.#watch.tally
    const time = elapsed - this.#before.elapsed
    const visits = total - this.#before.total
    this.#before = { total, elapsed }
    return time > 0 ? (visits / time).toFixed(0) : '0'
  }

  async #estimateAll(truths: readonly PageTruth[]): Promise<void> {
    const steady = truths.filter(({ law }) => law === 'steady')
    this.#steady = steadyShare(await this.#watch.findings(steady))
  }
}

function underWay({ dueNow, inFlight }: StoreHealth): string {
  return `${inFlight} in flight, ${Math.max(0, dueNow - inFlight)} due`
}

function byLaw(a: PageTruth, b: PageTruth): number {
  return a.law < b.law ? -1 : a.law > b.law ? 1 : a.changePeriod - b.changePeriod
}

/** What a demo came to. Times and periods in demo seconds, unless their name says real. */
export interface DemoSummary {
  readonly seed: number
  readonly speed: number
  readonly realSeconds: Seconds
  readonly demoSeconds: Seconds
  readonly sites: number
  readonly pages: number
  readonly visits: {
    readonly total: number
    readonly byOutcome: Readonly<Record<Outcome, number>>
    readonly notModified: number
    readonly notModifiedShare: number
    readonly bytes: number
    readonly perRealSecond: number
    /** Real seconds to the first recorded visit; null where there was none. */
    readonly firstAfterRealSeconds: Seconds | null
  }
  /** As the sites counted them, robots.txt and redirects among them. */
  readonly requests: number
  readonly steady: SteadyShare
  readonly freshness: { readonly revisit: number; readonly fixedSchedule: number }
  readonly estimates: readonly PageSummary[]
}

interface PageSummary extends PageNumbers {
  readonly site: string
  readonly access: string
  readonly tells: string
  readonly method: string | null
  readonly verdict: Verdict | null
  /** Whether it counts for the share of steady pages, and is known. */
  readonly counts: boolean
  readonly known: boolean
}

export interface Finished {
  readonly summary: DemoSummary
  readonly findings: readonly PageFinding[]
}

/** To be asked before the store is closed. */
export async function demoSummary(
  watch: DemoWatch,
  { seed, speed }: DemoSettings,
): Promise<Finished> {
  const { loop, tally, meter } = watch
  const realSeconds = tally.elapsed
  const demoSeconds = loop.web.clock.now() - demoOrigin
  const findings = await watch.findings(loop.web.truth())
  const { revisit, fixed } = meter.scores()
  const summary = {
    seed,
    speed,
    realSeconds,
    demoSeconds,
    sites: loop.web.sites.length,
    pages: findings.length,
    visits: {
      total: tally.total,
      byOutcome: tally.byOutcome,
      notModified: tally.notModified,
      notModifiedShare: tally.notModifiedShare,
      bytes: tally.bytes,
      perRealSecond: realSeconds > 0 ? tally.total / realSeconds : 0,
      firstAfterRealSeconds: tally.firstAfter,
    },
    requests: loop.web.requests().total,
    steady: steadyShare(findings),
    freshness: { revisit: revisit.freshness, fixedSchedule: fixed.freshness },
    estimates: findings.map(pageSummary),
  }
  return { summary, findings }
}

function pageSummary(finding: PageFinding): PageSummary {
  const { truth, estimate } = finding
  return {
    ...pageNumbers(finding),
    site: truth.site,
    access: truth.access,
    tells: truth.tells,
    method: estimate?.method ?? null,
    verdict: estimate?.verdict ?? null,
    counts: isDue(finding),
    known: isKnown(finding),
  }
}

/** The summary for a person: a page of each law, then what it came to. */
export function summaryText(
  { summary, findings }: Finished,
  { columns }: { readonly columns: number | undefined },
): string {
  const sample = samplePages(findings.map(({ truth }) => truth))
  const shown = sample.flatMap(({ url }) => findings.find(({ truth }) => truth.url === url) ?? [])
  const { visits, freshness } = summary
  const { firstAfterRealSeconds: first } = visits
  return [
    ...findingTable(shown, { room: columns }),
    '',
    `${summary.pages} pages on ${summary.sites} sites, ${humanDuration(summary.demoSeconds)} of demo time in ${humanDuration(summary.realSeconds)}`,
    `${visits.total} visits (${visits.perRealSecond.toFixed(0)}/s${first === null ? '' : `, the first after ${humanDuration(first)}`}): ${outcomeWords(summary)}`,
    `${percent(visits.notModifiedShare)} not modified (304), ${humanBytes(visits.bytes)} received, ${summary.requests} requests in all`,
    freshWords(freshness),
    `Change period within a factor of 2 of the truth: ${steadyWords(summary.steady)}`,
    '',
  ].join('\n')
}

function outcomeWords({ visits: { byOutcome } }: Finished['summary']): string {
  return Object.entries(byOutcome)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ')
}
