import type { TakeVisit } from '../../../formats/index.js'
import type { TimelineVisit } from '../../../report/index.js'

/** More visits than these are not kept: a picture of them would show no more. */
const most = 100_000

/**
 * Notes the visits of a log that saw nothing. A history has no place for them,
 * but a time line does.
 */
export class MissedVisits {
  readonly #byUrl = new Map<string, TimelineVisit[]>()
  #kept = 0

  /** The taker of visits, with its failed ones noted on the way. */
  noting(take: TakeVisit): TakeVisit {
    return (visit) => {
      const refusal = take(visit)
      const { outcome } = visit
      if (
        refusal === undefined &&
        (outcome === 'failed' || outcome === 'gone' || outcome === 'refused')
      )
        this.#keep(visit.url.text(), { at: visit.at, outcome })
      return refusal
    }
  }

  /** The missed visits of a page, in the order of the log. */
  of(url: string): readonly TimelineVisit[] {
    return this.#byUrl.get(url) ?? []
  }

  #keep(url: string, visit: TimelineVisit): void {
    if (this.#kept++ >= most) return
    const here = this.#byUrl.get(url)
    if (here === undefined) this.#byUrl.set(url, [visit])
    else here.push(visit)
  }
}
