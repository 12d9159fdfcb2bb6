/** A colour on light and on dark paper. */
interface Colour {
  readonly name: string
  readonly light: string
  readonly dark: string
}

/**
 * Paper, ink and the colours of series. The series are Okabe & Ito's (2008),
 * told apart with any colour vision, made darker for white paper and lighter
 * for black: each has a contrast of 3 and more with its paper (WCAG 1.4.11).
 */
export const palette: readonly Colour[] = [
  { name: 'paper', light: '#ffffff', dark: '#15181c' },
  { name: 'ink', light: '#1c2126', dark: '#e8eaed' },
  { name: 'muted', light: '#5a636d', dark: '#a3acb6' },
  { name: 'rule', light: '#dfe3e8', dark: '#343a41' },
  { name: 'c1', light: '#0072b2', dark: '#5ab4ea' },
  { name: 'c2', light: '#d55e00', dark: '#ff8f52' },
  { name: 'c3', light: '#00875f', dark: '#35c99d' },
  { name: 'c4', light: '#b04f96', dark: '#e59bcb' },
  { name: 'c5', light: '#96700a', dark: '#efc75e' },
  { name: 'c6', light: '#565d66', dark: '#b9c1c9' },
]

export const paper = 'var(--paper)'
export const ink = 'var(--ink)'
export const muted = 'var(--muted)'
export const rule = 'var(--rule)'

const series = palette.filter(({ name }) => /^c\d$/.test(name))
const dashes = ['none', '7 3', '2 3', '9 3 2 3']

/** The colour of the i-th series, from 0; after six they come round again with another dash. */
export function seriesColour(i: number): string {
  return `var(--${series[i % series.length]!.name})`
}

/** The dash of the i-th series: a second way to tell it from its neighbours. */
export function seriesDash(i: number): string {
  return dashes[(i + Math.floor(i / series.length)) % dashes.length]!
}

/** The palette as CSS variables of whatever the selector finds, in both themes. */
export function paletteCss(selector: string): string {
  const variables = (theme: 'light' | 'dark') =>
    palette.map((colour) => `--${colour.name}:${colour[theme]}`).join(';')
  return `${selector}{${variables('light')}}@media (prefers-color-scheme:dark){${selector}{${variables('dark')}}}`
}

/** What every figure needs to stand alone; a page that holds many has it once. */
export const figureStyle: string = `<style>${paletteCss('.revisit-figure')}.revisit-figure{max-width:100%;height:auto;font:12px system-ui,sans-serif;color:var(--ink)}.revisit-figure text{white-space:pre}</style>`

/** A figure for a page that has the style already. */
export function embedded(figure: string): string {
  return figure.replace(figureStyle, '')
}
