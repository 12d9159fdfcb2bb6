import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import { escaped, shown } from '../../formats/printable-text.js'
import { figureWidths } from '../report/html-document.js'
import type { PaperFigure } from '../report/paper.js'
import { embedded, figureStyle, ink, muted } from './palette.js'

/** Width of a mean sign beside the font size in a sans-serif font, a little generous. */
const meanSign = 0.56

/**
 * About how wide a text will be, in px: there is no font to measure here. Signs
 * of East Asian scripts count double.
 */
export function textWidth(text: string, { fontSize = 12 }: { readonly fontSize?: number } = {}) {
  let signs = 0
  for (const sign of text) signs += sign.codePointAt(0)! >= 0x1100 ? 1.8 : 1
  return signs * fontSize * meanSign
}

/** Lines no wider than the room, broken between words; a longer word is cut off with an ellipsis. */
function wrapped(
  text: string,
  { room, fontSize = 12 }: { readonly room: number; readonly fontSize?: number },
): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const longer = lines.length === 0 ? word : `${lines[lines.length - 1]} ${word}`
    if (lines.length > 0 && textWidth(longer, { fontSize }) <= room)
      lines[lines.length - 1] = longer
    else lines.push(cutOff(word, { room, fontSize }))
  }
  return lines
}

/** A text that fits the room: its middle gives way, since both ends of a URL identify it. */
export function cutOff(
  text: string,
  { room, fontSize = 12 }: { readonly room: number; readonly fontSize?: number },
): string {
  if (textWidth(text, { fontSize }) <= room) return text
  const signs = [...text]
  let kept = signs.length
  const short = () =>
    `${signs.slice(0, Math.ceil(kept / 2)).join('')}…${signs.slice(signs.length - Math.floor(kept / 2)).join('')}`
  while (kept > 2 && textWidth(short(), { fontSize }) > room)
    kept = Math.min(kept - 1, Math.floor(kept * 0.95))
  return short()
}

/** What stands for a series: plotted beside its name. */
export interface LegendItem {
  readonly label: string
  readonly colour: string
  readonly sign: 'line' | 'dot' | 'hollow' | 'diamond' | 'band' | 'tick' | 'bar'
  readonly dash?: string
}

const swatch = 22
const between = 16
const legendLine = 20

/** The legend as SVG at the top left, and how high it is; rows break at the width. */
function legend(
  items: readonly LegendItem[],
  { width }: { readonly width: number },
): { readonly svg: string; readonly height: number } {
  let x = 0
  let row = 0
  const plotted = items.map((item) => {
    const label = cutOff(shown(item.label), { room: width - swatch })
    const needs = swatch + textWidth(label)
    if (x > 0 && x + needs > width) {
      x = 0
      row++
    }
    const at = `translate(${Math.round(x)},${row * legendLine})`
    x += needs + between
    return `<g transform="${at}">${signOf(item)}<text x="${swatch}" y="14" fill="${ink}">${escaped(label)}</text></g>`
  })
  return { svg: plotted.join(''), height: items.length === 0 ? 0 : (row + 1) * legendLine + 4 }
}

function signOf({ sign, colour, dash }: LegendItem): string {
  switch (sign) {
    case 'line':
      return `<path d="M0,10H17" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash ?? 'none'}"/>`
    case 'dot':
      return `<circle cx="9" cy="10" r="4" fill="${colour}"/>`
    case 'hollow':
      return `<circle cx="9" cy="10" r="4" fill="none" stroke="${colour}" stroke-width="1.5"/>`
    case 'diamond':
      return `<path d="M9,4L15,10L9,16L3,10Z" fill="none" stroke="${colour}" stroke-width="1.5"/>`
    case 'band':
      return `<rect x="1" y="4" width="16" height="12" fill="${colour}" fill-opacity="0.2" stroke="${muted}" stroke-opacity="0.3"/>`
    case 'tick':
      return `<path d="M9,4V16" stroke="${colour}" stroke-width="2"/>`
    case 'bar':
      return `<rect x="2" y="4" width="13" height="12" fill="${colour}"/>`
  }
}

const places = new Set(
  'd transform x y x1 x2 y1 y2 cx cy r width height points stroke-width fill-opacity'.split(' '),
)

/**
 * Plot's SVG made small and the same everywhere: coordinates to a hundredth of
 * a pixel (libraries of mathematics differ in the last digit), no labels on
 * groups (the figure as a whole has one), no style of its own. The drawing is a
 * group of the figure, not an image inside it.
 */
function tidySvg(svg: string): string {
  return svg
    .replace(/<style>[^<]*<\/style>/g, '')
    .replace(/^<svg [^<>]*>/, '<g text-anchor="middle" fill="currentColor">')
    .replace(/<\/svg>$/, '</g>')
    .replace(/<[a-z][^<>]*>/gi, (tag) =>
      tag.replace(/ ([a-z0-9-]+)="([^"]*)"/gi, (_, name: string, value: string) =>
        name.startsWith('aria-') ? '' : ` ${name}="${places.has(name) ? rounded(value) : value}"`,
      ),
    )
}

function rounded(value: string): string {
  return value.replace(/-?\d*\.\d+(e[-+]?\d+)?|-?\d+e[-+]?\d+/gi, (number) =>
    String(Number(Number(number).toFixed(2)) + 0),
  )
}

/** What any figure may be told about its size. */
export interface FigureOptions {
  /** In px; 760 by default. A phone has about 350. */
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

const defaultWidth = 760
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
    ...wrapped(shown(title), { room, fontSize: 15 }).map((text) =>
      line(text, { size: 15, style: 'font-weight="600"' }),
    ),
    ...wrapped(shown(subtitle), { room }).map((text) =>
      line(text, { size: 12, style: `fill="${muted}"` }),
    ),
  ]
  return { svg: svg.join(''), height: y + 8 }
}

/**
 * A figure drawn twice, for a wide window and for a phone: one drawing made
 * smaller would have labels that nobody can read. The style shows one of them.
 */
export function responsiveFigure<Data>(
  draw: (data: Data, options: FigureOptions) => string,
  data: Data,
): string {
  const at = (size: keyof typeof figureWidths) =>
    `<div class="${size}">${embedded(draw(data, { width: figureWidths[size] }))}</div>`
  return `<figure>${at('wide')}${at('narrow')}</figure>`
}

/** A figure of a paper, drawn for a wide window and for a phone; its title is the drawing's. */
export function paperFigure<Data extends FigureText>(
  { file, caption }: { readonly file: string; readonly caption: string },
  draw: (data: Data, options: FigureOptions) => string,
  data: Data,
): PaperFigure {
  return {
    file,
    caption,
    title: data.title,
    svg: draw(data, { width: figureWidths.wide }),
    narrowSvg: draw(data, { width: figureWidths.narrow }),
  }
}
