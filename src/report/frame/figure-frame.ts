import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import { figureStyle } from './figure-style.js'
import { type LegendItem, legend } from './legend.js'
import { ink, muted } from './palette.js'
import { escaped, shownText } from './shown-text.js'
import { wrapped } from './text-width.js'
import { tidySvg } from './tidy-svg.js'

/** What any figure may be told about its size. */
export interface FigureOptions {
  /** In px; 760 unless said. A phone has about 350. */
  readonly width?: number
}

/** What is written around the drawing. */
export interface FigureText {
  readonly title: string
  /** A sentence under the title. */
  readonly subtitle?: string
  /** The figure in words, for who cannot see it. */
  readonly description: string
}

interface Frame extends FigureText {
  readonly width: number
  readonly legend?: readonly LegendItem[]
}

export const defaultWidth = 760
/** Narrower than this, labels no longer fit. */
const narrowest = 200

export function figureWidth({ width = defaultWidth }: FigureOptions): number {
  return Math.max(narrowest, Math.round(Number.isFinite(width) ? width : defaultWidth))
}

/** A figure: title, subtitle and legend above a plot, as one SVG that stands alone. */
export function figureFrame(frame: Frame, plot: Plot.PlotOptions & { height: number }): string {
  const { document } = parseHTML('<!doctype html><html></html>')
  const drawing = Plot.plot({
    ...plot,
    document: document as unknown as Document,
    className: 'plot',
    width: frame.width,
    style: { fontSize: '12px' },
  })
  return around(frame, { height: plot.height, drawing: tidySvg(drawing.outerHTML) })
}

/** A figure without anything to draw: it says why. */
export function emptyFigure(frame: Frame, why: string): string {
  const drawing = `<text x="${frame.width / 2}" y="40" text-anchor="middle" fill="${muted}">${escaped(why)}</text>`
  return around({ ...frame, legend: [] }, { height: 80, drawing })
}

function around(frame: Frame, { height, drawing }: { height: number; drawing: string }): string {
  const { width } = frame
  const head = heading(frame)
  const key = legend(frame.legend ?? [], { width: width - 8 })
  const top = head.height + key.height
  const size = `viewBox="0 0 ${width} ${top + height}" width="${width}" height="${top + height}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="revisit-figure" role="img" ${size} fill="${ink}" font-size="12" font-family="system-ui,sans-serif">`,
    `<title>${escaped(frame.title)}</title><desc>${escaped(frame.description)}</desc>`,
    figureStyle,
    head.svg,
    `<g transform="translate(4,${head.height})">${key.svg}</g>`,
    `<g transform="translate(0,${top})">${drawing}</g>`,
    '</svg>',
  ].join('')
}

function heading({ title, subtitle = '', width }: Frame): { svg: string; height: number } {
  const room = width - 8
  let y = 0
  const line = (text: string, { size, style }: { size: number; style: string }) => {
    y += size + 6
    return `<text x="4" y="${y - 4}" font-size="${size}" ${style}>${escaped(text)}</text>`
  }
  const svg = [
    ...wrapped(shownText(title), { room, fontSize: 15 }).map((text) =>
      line(text, { size: 15, style: 'font-weight="600"' }),
    ),
    ...wrapped(shownText(subtitle), { room }).map((text) =>
      line(text, { size: 12, style: `fill="${muted}"` }),
    ),
  ]
  return { svg: svg.join(''), height: y + 8 }
}
