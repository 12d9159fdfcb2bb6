import { paletteCss } from './palette.js'

/** What every figure needs to stand alone; a page that holds many has it once. */
export const figureStyle: string = `<style>${paletteCss('.revisit-figure')}.revisit-figure{max-width:100%;height:auto;font:12px system-ui,sans-serif;color:var(--ink)}.revisit-figure text{white-space:pre}</style>`

/** A figure for a page that has the style already. */
export function embedded(figure: string): string {
  return figure.replace(figureStyle, '')
}
