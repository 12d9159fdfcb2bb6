import {
  type ConsistentWindow,
  duanePlot,
  duaneTrend,
  expectedUpdates,
  type Trend,
  type TrendCurve,
} from '../../../estimate/index.js'
import type { DuaneWindow, PageReport, TimelineWindow } from '../../../report/index.js'
import { surelyState, trendWords } from '../trend/trend-words.js'

const fitPoints = 24

/** The windows along the calendar, and each on its Duane plot; nothing where no update was seen. */
export function trendFigures(trend: Trend): Pick<PageReport, 'windows' | 'duane'> {
  const { points, origin } = trend.series
  if (points.length < 2) return {}
  const updates = points.map(({ at }, i) => ({ at, gap: at - (points[i - 1]?.at ?? origin) }))
  const windows = trend.windows.map(({ window, curve }) => timelineWindow(window, curve))
  return {
    windows: { updates, windows, verdict: trendWords(trend) },
    duane: { windows: trend.windows.map(({ window }) => duaneWindow(window)) },
  }
}

function timelineWindow(window: ConsistentWindow, curve: TrendCurve): TimelineWindow {
  const { origin, times } = window
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0]
  const fit = Array.from({ length: fitPoints + 1 }, (_, i) => {
    const t = first + ((last - first) * i) / fitPoints
    return { at: origin + t, meanGap: curve.mtbu(t) }
  })
  return { state: surelyState(window), from: origin, to: origin + last, fit }
}

function duaneWindow(window: ConsistentWindow): DuaneWindow {
  const { times } = window
  const { law } = duaneTrend().fit(times)
  const ends = law === null ? [] : [times[0]!, times.at(-1)!]
  const fit = ends.map((time) => ({ time, meanGap: time / (expectedUpdates(law!, time) ?? 0) }))
  return { state: surelyState(window), points: duanePlot(times), fit }
}
