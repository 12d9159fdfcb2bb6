import {
  duanePlot,
  duaneTrend,
  expectedUpdates,
  type FittedWindow,
  type Trend,
} from '../../../estimate/index.js'
import type { DuaneWindow, PageReport, TimelineWindow } from '../../../report/index.js'
import { surelyState, trendWords } from '../trend/trend-words.js'

const fitPoints = 24

/** The windows along the calendar, and each on its Duane plot; nothing where no update was seen. */
export function trendFigures(trend: Trend): Pick<PageReport, 'windows' | 'duane'> {
  const { points, origin } = trend.series
  if (points.length < 2) return {}
  const updates = points.map(({ at }, i) => ({ at, gap: at - (points[i - 1]?.at ?? origin) }))
  const windows = trend.windows.map((each) => timelineWindow(each, trend))
  return {
    windows: { updates, windows, verdict: trendWords(trend) },
    duane: { windows: trend.windows.map((each) => duaneWindow(each, trend)) },
  }
}

function timelineWindow(fitted: FittedWindow, trend: Trend): TimelineWindow {
  const { window, curve } = fitted
  const { origin, times } = window
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0]
  // A curve through fewer points than the method's least would be believed.
  const steps = curve.verdict === 'ok' ? fitPoints + 1 : 0
  const fit = Array.from({ length: steps }, (_, i) => {
    const t = first + ((last - first) * i) / fitPoints
    return { at: origin + t, meanGap: curve.mtbu(t) }
  })
  return { state: surelyState(fitted, trend), from: origin, to: origin + last, fit }
}

function duaneWindow(fitted: FittedWindow, trend: Trend): DuaneWindow {
  const { times } = fitted.window
  const { law } = duaneTrend().fit(times)
  const ends = law === null ? [] : [times[0]!, times.at(-1)!]
  const fit = ends.map((time) => ({ time, meanGap: time / (expectedUpdates(law!, time) ?? 0) }))
  return { state: surelyState(fitted, trend), points: duanePlot(times), fit }
}
