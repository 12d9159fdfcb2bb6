/** A number for a sentence or a table. */
export function shown(value: number, { digits = 3 } = {}): string {
  const rounded = Number(value.toPrecision(digits))
  const plain = rounded === 0 || (Math.abs(rounded) < 1e6 && Math.abs(rounded) >= 1e-4)
  if (!plain) return rounded.toExponential().replace('+', '')
  return Math.abs(rounded) >= 1e4 ? rounded.toLocaleString('en-US') : String(rounded)
}

export function shownAll(values: readonly number[], options: { digits?: number } = {}): string {
  return values.map((value) => shown(value, options)).join(', ')
}

/** "T = 10^2 to 10^6". */
export function windowWords(windows: readonly number[]): string {
  const power = (until: number | undefined) => `10^${Math.round(Math.log10(until ?? 1))}`
  return `T = ${power(windows[0])} to ${power(windows.at(-1))}`
}

/** How far the worst point is, for a `why`. */
export function deviationWords(worst: number): string {
  return worst === 0
    ? 'every point is within what the ends of the window take away'
    : `the worst point is ${shown(worst, { digits: 2 })} standard errors off`
}
