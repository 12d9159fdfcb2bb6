import type { Forecast } from './forecasts.js'

/** No chance is nearer to 0 or 1 than this: one bad surprise is not to decide. */
const sure = 1e-3
/** So many observations of each page are counted apart. */
const early = 10

/** Mean of -ln(chance given to what was then seen). */
export interface LogLosses {
  /** Of all observations, each page's first ten, and the rest. */
  readonly logLoss: number
  readonly firstTen: number
  readonly later: number
  readonly observations: number
}

/** Adds up the logarithmic loss of forecasts. */
export function logLosses(forecasts: Iterable<Forecast>): LogLosses {
  const loss = [0, 0]
  const count = [0, 0]
  for (const { before, chance, changed } of forecasts) {
    const part = before < early ? 0 : 1
    const bounded = Math.min(1 - sure, Math.max(sure, chance))
    loss[part]! -= Math.log(changed ? bounded : 1 - bounded)
    count[part]! += 1
  }
  const mean = (total: number, of: number) => (of > 0 ? total / of : 0)
  const observations = count[0]! + count[1]!
  return {
    logLoss: mean(loss[0]! + loss[1]!, observations),
    firstTen: mean(loss[0]!, count[0]!),
    later: mean(loss[1]!, count[1]!),
    observations,
  }
}
