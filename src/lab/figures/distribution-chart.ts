import { humanDuration } from '../../model/duration.js'
import type { PerSecond, Seconds } from '../../model/units.js'
import type { FigureOptions } from './figure-frame.js'
import { type LineSeries, lineChart } from './line-chart.js'

/** A distribution function at ascending x. */
export interface PlottedDistribution {
  readonly x: ArrayLike<Seconds>
  readonly cdf: ArrayLike<number>
  /** Whether it holds each value up to the next x or is joined linearly, from 0 at 0. */
  readonly shape: 'steps' | 'line'
}

export interface DistributionChart {
  readonly title: string
  readonly subtitle?: string
  /** What x is, without a unit. */
  readonly xTitle: string
  readonly name: string
  readonly curve: PlottedDistribution
  readonly band?: {
    readonly x: ArrayLike<Seconds>
    readonly low: ArrayLike<number>
    readonly high: ArrayLike<number>
    readonly level: number
  }
  /** The same by other methods. */
  readonly others?: readonly { readonly name: string; readonly curve: PlottedDistribution }[]
  /** The change rate of the Poisson page to plot beside it. */
  readonly poisson?: PerSecond
}

const mostPoints = 400

/** A distribution with its band, beside the one that a Poisson page of the same rate would have. */
export function distributionChart(data: DistributionChart, options: FigureOptions = {}): string {
  const others = data.others ?? []
  const upTo = Math.max(...[data, ...others].map(({ curve }) => endOf(curve)))
  const series = [
    ...bandOf(data),
    curveOf(data, 0),
    ...poissonOf(data, upTo),
    ...others.map((each, i) => curveOf(each, i + 2)),
  ]
  return lineChart(
    {
      title: data.title,
      ...(data.subtitle === undefined ? {} : { subtitle: data.subtitle }),
      description: descriptionOf(data),
      x: { title: data.xTitle, kind: 'duration', fromZero: true, domain: [0, upTo] },
      y: { title: 'share of all', kind: 'share' },
      series,
    },
    options,
  )
}

/** Where the curve has all but a fiftieth of its height: a long tail would squeeze the rest. */
function endOf({ x, cdf }: PlottedDistribution): Seconds {
  const last = cdf[cdf.length - 1] ?? 0
  for (let i = 0; i < x.length; i++)
    if (cdf[i]! >= 0.98 * last && x[i]! > 0 && x[i]! < Infinity) return 1.02 * x[i]!
  return x[x.length - 1] ?? 0
}

function curveOf(
  { name, curve }: Pick<DistributionChart, 'name' | 'curve'>,
  colour: number,
): LineSeries {
  const steps = curve.shape === 'steps'
  const points = indices(curve.x.length).map((i) => ({ x: curve.x[i]!, y: curve.cdf[i]! }))
  return {
    name,
    colour,
    plottedAs: steps ? 'steps' : 'line',
    points: [{ x: 0, y: 0 }, ...points],
  }
}

function bandOf({ band, curve }: DistributionChart): LineSeries[] {
  if (band === undefined) return []
  const points = curve.shape === 'steps' ? steppedBand(band) : joinedBand(band)
  const name = `${Number((100 * band.level).toPrecision(4))}% bounds`
  return [{ name, colour: 0, plottedAs: 'band', points }]
}

type Band = NonNullable<DistributionChart['band']>

function joinedBand(band: Band): LineSeries['points'] {
  // Nothing is younger than 0, so there the band has no width.
  const origin = { x: 0, y: null, low: 0, high: 0 }
  const places = indices(band.x.length)
  const at = (i: number) => ({ x: band.x[i]!, y: null, low: band.low[i]!, high: band.high[i]! })
  return [origin, ...places.map(at)]
}

/**
 * Up to the next place the lower edge stays and the upper one is already there:
 * plotted slantwise, the band would leave a curve that holds its value.
 */
function steppedBand(band: Band): LineSeries['points'] {
  const { x, low, high } = band
  const places = indices(x.length)
  return places.flatMap((to, k) => {
    const from = places[k - 1]
    const edge = { y: null, low: from === undefined ? 0 : low[from]!, high: high[to]! }
    return [
      { x: from === undefined ? 0 : x[from]!, ...edge },
      { x: x[to]!, ...edge },
    ]
  })
}

function poissonOf({ poisson }: DistributionChart, upTo: Seconds): LineSeries[] {
  if (poisson === undefined || !(poisson > 0) || !(upTo > 0)) return []
  const points = Array.from({ length: 101 }, (_, i) => {
    const x = (upTo * i) / 100
    return { x, y: -Math.expm1(-poisson * x) }
  })
  return [{ name: `Poisson, every ${humanDuration(1 / poisson)}`, colour: 1, points }]
}

/** Every k-th index, and the last. */
function indices(length: number): number[] {
  const every = Math.max(1, Math.ceil(length / mostPoints))
  const all = Array.from({ length: Math.ceil(length / every) }, (_, i) => i * every)
  return length > 0 && all.at(-1) !== length - 1 ? [...all, length - 1] : all
}

function descriptionOf({ title, curve }: DistributionChart): string {
  const half = Array.from(curve.cdf).findIndex((share) => share >= 0.5)
  const median = half < 0 ? '' : ` Half of all lie below ${humanDuration(curve.x[half]!)}.`
  return `${title}: a distribution function.${median}`
}
