import { trendEstimators } from '../../../estimators/trend/trend-estimators.js'
import { type Trend, type TrendOptions, trendOf } from '../../../estimators/trend/trend-of.js'
import { csvField } from '../../../formats/csv-table.js'
import type { PageHistory } from '../../../formats/histories/page-by-page.js'
import type { History } from '../../../model/history.js'

/** The trend of a page by one estimator of its change rate. */
export interface NamedTrend {
  readonly estimator: string
  readonly trend: Trend
}

/** The trend by every estimator: the windows are the same, the curves and predictions are not. */
export function comparedTrends(history: History, options: TrendOptions): readonly NamedTrend[] {
  return trendEstimators.map((estimator) => ({
    estimator: estimator.name,
    trend: trendOf(history, { ...options, estimator }),
  }))
}

/** The trend for a program: update points, windows with their curves, test and next update. */
export function trendJson(trend: Trend): object {
  const { series, windows, test, counted, next } = trend
  return {
    origin: series.origin,
    until: series.until,
    updates: series.points,
    windows: windows.map((each) => ({ ...windowJson(each), ...fitJson(each) })),
    test,
    counted,
    next,
  }
}

/** The same by every estimator, with what they share once. */
export function comparedJson(all: readonly NamedTrend[]): object {
  const { series, windows, test, counted } = all[0]!.trend
  return {
    origin: series.origin,
    until: series.until,
    updates: series.points,
    windows: windows.map((each, i) => ({
      ...windowJson(each),
      fits: all.map(({ estimator, trend }) => ({ estimator, ...fitJson(trend.windows[i]!) })),
    })),
    test,
    counted,
    next: all.map(({ estimator, trend }) => ({ estimator, ...trend.next })),
  }
}

type FittedWindow = Trend['windows'][number]

/** `state` is the one that alpha goes by; `cutState` the paper's, by which the window was cut. */
function windowJson({ window, state, stateBy, until }: FittedWindow): object {
  return {
    state,
    stateBy,
    cutState: window.state,
    origin: window.origin,
    until,
    updates: window.points.length,
    noise: window.noise,
  }
}

function fitJson({ curve, mtbuAtEnd }: FittedWindow): object {
  return { method: curve.method, verdict: curve.verdict, law: curve.law, mtbu: mtbuAtEnd }
}

export const trendCsvHead =
  'url,estimator,window,state,state_by,from,to,updates,exponent,mtbu,verdict,next_at,next_low,next_high,alpha'

/** One line for each window and estimator; the last window's has the prediction. */
export function trendCsv(
  { url, history }: PageHistory,
  { trend: options, compare }: { readonly trend: TrendOptions; readonly compare: boolean },
): string[] {
  if (history === null) return []
  const all = compare
    ? comparedTrends(history, options)
    : [
        {
          estimator: options.estimator?.name ?? 'weibull',
          trend: trendOf(history, options),
        },
      ]
  return all.flatMap(({ estimator, trend }) =>
    trend.windows.map((each, i) => {
      const { window, state, stateBy, until, curve, mtbuAtEnd } = each
      const next = i === trend.windows.length - 1 ? trend.next : null
      return [
        csvField(url),
        estimator,
        i + 1,
        state,
        stateBy,
        window.origin,
        until,
        window.points.length,
        curve.law?.exponent ?? '',
        mtbuAtEnd ?? '',
        curve.verdict,
        next?.at ?? '',
        next?.bounds?.low ?? '',
        next?.bounds?.high ?? '',
        next?.alpha ?? '',
      ].join(',')
    }),
  )
}
