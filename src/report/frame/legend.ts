import { ink, muted } from './palette.js'
import { escaped, shownText } from './shown-text.js'
import { cutOff, textWidth } from './text-width.js'

/** What stands for a series: drawn beside its name. */
export interface LegendItem {
  readonly label: string
  readonly colour: string
  readonly sign: 'line' | 'dot' | 'hollow' | 'diamond' | 'band' | 'tick' | 'bar'
  readonly dash?: string
}

const swatch = 22
const between = 16
export const legendLine = 20

/** The legend as SVG at the top left, and how high it is; rows break at the width. */
export function legend(
  items: readonly LegendItem[],
  { width }: { readonly width: number },
): { readonly svg: string; readonly height: number } {
  let x = 0
  let row = 0
  const drawn = items.map((item) => {
    const label = cutOff(shownText(item.label), { room: width - swatch })
    const needs = swatch + textWidth(label)
    if (x > 0 && x + needs > width) {
      x = 0
      row++
    }
    const at = `translate(${Math.round(x)},${row * legendLine})`
    x += needs + between
    return `<g transform="${at}">${signOf(item)}<text x="${swatch}" y="14" fill="${ink}">${escaped(label)}</text></g>`
  })
  return { svg: drawn.join(''), height: items.length === 0 ? 0 : (row + 1) * legendLine + 4 }
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
