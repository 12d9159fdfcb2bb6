import { demoOrigin } from '../../../demo/index.js'
import { staleByNow } from '../../../engine/index.js'
import { DAY, type UnixSeconds } from '../../../model/index.js'
import type { DemoPageTold, DemoTold, DemoTruth } from '../../../server/index.js'
import { collection } from '../../demo/demo-place.js'
import type { DemoWatch } from '../../demo/demo-watch.js'
import type { PageFinding } from '../../demo/page-finding.js'
import { steadyShare } from '../../demo/steady-share.js'
import { isStandIn } from '../../estimate/stand-in.js'

/** Real milliseconds that an answer is good for at least, and how many times what it took, visits in between among it. */
const goodFor = 3000
const costFactor = 2

/** What the demo web knows, for the dashboard. It costs an estimate of every page, so it is kept a while. */
export class DemoTeller implements DemoTruth {
  readonly speed: number
  readonly #watch: DemoWatch
  /** What was predicted and what was true at moments of the last day. */
  #moments: Moment[] = []
  #told: Promise<DemoTold> | undefined
  #goodUntil = 0

  constructor(watch: DemoWatch, { speed }: { readonly speed: number }) {
    this.speed = speed
    this.#watch = watch
  }

  told(): Promise<DemoTold> {
    if (this.#told === undefined || performance.now() > this.#goodUntil) {
      this.#goodUntil = Infinity
      this.#told = this.#tell()
    }
    return this.#told
  }

  async #tell(): Promise<DemoTold> {
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
      pages: findings.map(pageTold),
    }
  }

  /** The mean share of copies that should be fresh by what is believed, and that was, at the same moments. */
  async #predicted(): Promise<DemoTold['predicted']> {
    const { loop, meter } = this.#watch
    const minds = loop.steward?.minds
    if (minds === undefined) return null
    const { pages } = await loop.store.listPages({ collection, limit: 10_000 })
    const now = loop.web.clock.now()
    const stale = pages
      .filter((page) => page.settings.role !== 'list')
      .flatMap((page) => staleByNow(page, { minds, now }) ?? [])
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

function pageTold({ truth, page, estimate }: PageFinding): DemoPageTold {
  const bounds = estimate?.bounds ?? null
  return {
    url: truth.url,
    law: truth.law,
    truePeriod: truth.changePeriod,
    // A page that changed at every visit, or at none, has bounds but no period.
    estimatedPeriod:
      estimate === null || isStandIn(estimate.verdict) ? null : estimate.changePeriod,
    shortest: bounds === null || bounds.high === null ? null : 1 / bounds.high,
    longest: bounds === null || bounds.low === 0 ? null : 1 / bounds.low,
    visits: page.visits,
    changesSeen: page.changes,
    changesReal: truth.changes,
  }
}
