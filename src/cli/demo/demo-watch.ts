import { setImmediate } from 'node:timers/promises'
import type { PageTruth } from '../../demo/index.js'
import { demoOrigin } from '../../demo/index.js'
import type { SavedVisit } from '../../engine/index.js'
import type { Seconds, UnixSeconds } from '../../model/index.js'
import type { DemoLoop } from './demo-loop.js'
import { collection } from './demo-place.js'
import { FreshnessMeter } from './freshness-meter.js'
import { type PageFinding, pageFinding } from './page-finding.js'
import { VisitTally } from './visit-tally.js'

/** Looks at a demo while it runs: what was visited, what is thought, what is true. */
export class DemoWatch {
  readonly loop: DemoLoop
  readonly tally: VisitTally
  readonly meter: FreshnessMeter

  constructor(loop: DemoLoop, { wall }: { readonly wall: () => Seconds }) {
    this.loop = loop
    this.tally = new VisitTally(wall)
    this.meter = new FreshnessMeter(loop.web)
    for (const saved of loop.past) this.#add(saved, saved.visit.at)
  }

  visited(saved: SavedVisit): void {
    this.#add(saved, this.loop.web.clock.now())
  }

  #add(saved: SavedVisit, at: UnixSeconds): void {
    this.tally.add(saved)
    this.meter.add(saved, at)
  }

  /** What is thought of these pages. Visits go on in between: an estimate takes milliseconds. */
  async findings(truths: readonly PageTruth[]): Promise<PageFinding[]> {
    const now = this.loop.web.clock.now()
    const found: PageFinding[] = []
    for (const truth of truths) {
      const each = await pageFinding(
        { store: this.loop.store, minds: this.loop.steward?.minds },
        { truth, from: demoOrigin, now },
        { collection },
      )
      if (each !== null) found.push(each)
      await setImmediate()
    }
    return found
  }
}
