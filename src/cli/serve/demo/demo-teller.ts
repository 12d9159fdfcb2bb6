import { demoOrigin } from '../../../demo/index.js'
import { DAY } from '../../../model/index.js'
import type { DemoPageTold, DemoTold, DemoTruth } from '../../../server/index.js'
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
      steady: steadyShare(findings),
      pages: findings.map(pageTold),
    }
  }
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
