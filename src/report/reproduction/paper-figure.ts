import type { FigureOptions, FigureText } from '../frame/figure-frame.js'
import { figureWidths } from '../page/page-style.js'
import type { PaperFigure } from './paper.js'

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
