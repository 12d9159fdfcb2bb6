import { replayPrediction, type UpdateSeries } from 'revisit/estimators'
import { paperWindows, type Visitor } from './contenders.js'

/** What a visitor who goes when the next update is foreseen saw of many pages: Table 3. */
export class ReplayTotals {
  readonly visitor: Visitor
  updates = 0
  observed = 0
  visits = 0
  premature = 0

  constructor(visitor: Visitor) {
    this.visitor = visitor
  }

  add(series: UpdateSeries): void {
    const { estimator, alpha, nextDay = false } = this.visitor
    const seen = replayPrediction(series, {
      windows: paperWindows,
      predict: { estimator, alpha },
      nextDayAfterPremature: nextDay,
    })
    this.updates += seen.updates
    this.observed += seen.observed
    this.visits += seen.visits
    this.premature += seen.premature
  }

  get observedShare(): number {
    return this.updates > 0 ? this.observed / this.updates : 0
  }

  get prematureShare(): number {
    return this.visits > 0 ? this.premature / this.visits : 0
  }

  /** So that sets of any size can be compared. */
  get prematurePerUpdate(): number {
    return this.updates > 0 ? this.premature / this.updates : 0
  }
}
