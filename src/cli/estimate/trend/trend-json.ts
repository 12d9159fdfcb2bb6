import type { Trend } from '../../../estimate/index.js'

/** The trend for a program: update points, windows with their curves, test and next update. */
export function trendJson({ series, windows, test, next }: Trend): object {
  return {
    origin: series.origin,
    until: series.until,
    updates: series.points,
    windows: windows.map(({ window, curve }) => ({
      state: window.state,
      origin: window.origin,
      until: window.points.at(-1)?.at ?? window.origin,
      updates: window.points.length,
      noise: window.noise,
      method: curve.method,
      verdict: curve.verdict,
      law: curve.law,
      mtbu: curve.mtbu(window.times.at(-1) ?? 0),
    })),
    test,
    next,
  }
}
