import { demoOrigin } from '../../demo/index.js'
import type { Outcome, Seconds, Verdict } from '../../model/index.js'
import type { DemoWatch } from './demo-watch.js'
import type { PageFinding } from './page-finding.js'
import type { DemoSettings } from './settings.js'
import { isDue, isKnown, type SteadyShare, steadyShare } from './steady-share.js'

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

export interface PageSummary {
  readonly url: string
  readonly site: string
  readonly law: string
  readonly access: string
  readonly tells: string
  readonly truePeriod: Seconds
  readonly estimatedPeriod: Seconds | null
  /** Bounds of the change period at 95%; null where the data set none. */
  readonly shortest: Seconds | null
  readonly longest: Seconds | null
  readonly method: string | null
  readonly verdict: Verdict | null
  readonly visits: number
  readonly changesSeen: number
  readonly changesReal: number
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
  const { truth, page, estimate } = finding
  const bounds = estimate?.bounds ?? null
  return {
    url: truth.url,
    site: truth.site,
    law: truth.law,
    access: truth.access,
    tells: truth.tells,
    truePeriod: truth.changePeriod,
    estimatedPeriod: estimate?.changePeriod ?? null,
    shortest: bounds === null || bounds.high === null ? null : 1 / bounds.high,
    longest: bounds === null || bounds.low === 0 ? null : 1 / bounds.low,
    method: estimate?.method ?? null,
    verdict: estimate?.verdict ?? null,
    visits: page.visits,
    changesSeen: page.changes,
    changesReal: truth.changes,
    counts: isDue(finding),
    known: isKnown(finding),
  }
}
