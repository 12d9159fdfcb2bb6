import type { FigureOptions, FigureText } from 'revisit/report'
import type { PaperFigure } from './paper.js'

/** A figure of a paper; its title is the drawing's. */
export function drawnFigure<Data extends FigureText>(
  { file, caption }: { readonly file: string; readonly caption: string },
  draw: (data: Data, options?: FigureOptions) => string,
  data: Data,
): PaperFigure {
  return { file, caption, title: data.title, svg: draw(data) }
}
