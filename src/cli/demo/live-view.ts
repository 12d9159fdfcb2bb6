import { demoOrigin, type PageTruth } from '../../demo/index.js'
import type { StoreHealth } from '../../model/index.js'
import { collection } from './demo-place.js'
import type { DemoWatch } from './demo-watch.js'
import { findingTable } from './finding-table.js'
import { samplePages } from './sample-pages.js'
import { type SteadyShare, steadyShare } from './steady-share.js'
import { byteWords, demoDay, freshWords, percent, steadyWords } from './words.js'

/** All pages are estimated only every so many frames: it costs as much as the visits. */
const framesBetween = 5

/** The demo as a person looks at it, frame by frame. */
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
      `${this.#visits()}, ${this.#pace()} visits/s, ${underWay(health)}, ${byteWords(tally.bytes)} received`,
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
  #pace(): string {
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
