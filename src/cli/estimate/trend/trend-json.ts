import type { Trend } from '../../../estimate/index.js'

/** The trend for a program: update points, windows with their curves, test and next update. */
export function trendJson({ series, windows, test, counted, next }: Trend): object {
  return {
    origin: series.origin,
    until: series.until,
    updates: series.points,
    windows: windows.map(({ window, until, curve, mtbuAtEnd }) => ({
      state: window.state,
      origin: window.origin,
      until,
      updates: window.points.length,
      noise: window.noise,
      method: curve.method,
      verdict: curve.verdict,
      law: curve.law,
      mtbu: mtbuAtEnd,
    })),
    test,
    counted,
    next,
  }
}
