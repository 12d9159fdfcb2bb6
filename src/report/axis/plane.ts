import type * as Plot from '@observablehq/plot'
import type { Axis } from './axis.js'
import { type DrawnAxis, drawnAxis, labelRoom } from './drawn-axis.js'

type Values = Iterable<number | null | undefined>

/** Two axes, and the options of the plot that draws them. */
export interface Plane {
  readonly x: DrawnAxis
  readonly y: DrawnAxis
  readonly options: Plot.PlotOptions & { height: number }
}

const marginTop = 26
/** Dates take two lines. */
const marginBelow = (x: Axis) => (x.kind === 'time' ? 58 : 46)

/** Lays out a plot with an axis below and one at the left; null where there is nothing to show. */
export function plane(
  axes: { readonly x: Axis; readonly y: Axis },
  {
    xs,
    ys,
    width,
    height,
    marginRight = axes.x.kind === 'duration' ? 30 : 18,
  }: { xs: Values; ys: Values; width: number; height: number; marginRight?: number },
): Plane | null {
  const marginBottom = marginBelow(axes.x)
  const y = drawnAxis(axes.y, { along: 'y', room: height - marginTop - marginBottom, values: ys })
  if (y === null) return null
  const marginLeft = labelRoom(y)
  const x = drawnAxis(axes.x, { along: 'x', room: width - marginLeft - marginRight, values: xs })
  if (x === null) return null
  const options = {
    height,
    marginLeft,
    marginRight,
    marginTop,
    marginBottom,
    x: {
      ...x.scale,
      labelAnchor: 'center',
      labelArrow: 'none',
      labelOffset: marginBottom - 6,
      tickSize: 4,
    },
    y: { ...y.scale, labelArrow: 'none', grid: true, tickSize: 0 },
  } as const
  return { x, y, options }
}
