import type { FigureOptions } from '../frame/figure-frame.js'
import { embedded } from '../frame/figure-style.js'
import { figureWidths } from './page-style.js'

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
