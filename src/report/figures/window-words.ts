import { muted, seriesColour } from '../frame/palette.js'

/** What the change rate does within a window, as far as the updates tell. */
export type DrawnWindowState = 'constant' | 'increasing' | 'decreasing' | 'unknown'

/** Each state in words and in its colour. */
export const windowStates: Readonly<
  Record<DrawnWindowState, { readonly words: string; readonly colour: string }>
> = {
  constant: { words: 'steady', colour: seriesColour(0) },
  increasing: { words: 'changing faster', colour: seriesColour(1) },
  decreasing: { words: 'changing slower', colour: seriesColour(2) },
  unknown: { words: 'too little to tell', colour: muted },
}

/** The legend of the states that occur. */
export function stateLegend(
  states: readonly DrawnWindowState[],
  sign: 'dot' | 'line',
): Array<{ label: string; colour: string; sign: 'dot' | 'line' }> {
  const order: DrawnWindowState[] = ['constant', 'increasing', 'decreasing', 'unknown']
  return order
    .filter((state) => states.includes(state))
    .map((state) => ({
      label: windowStates[state].words,
      colour: windowStates[state].colour,
      sign,
    }))
}
