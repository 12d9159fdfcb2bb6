const plain = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 12 })

/** A number on an axis: `1,200`, `0.05`, and `3e9` for the very large and the very small. */
export function numberLabel(value: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 1e-4 && size < 1e7) return plain.format(Number(value.toPrecision(12)))
  return Number(value.toPrecision(6)).toExponential().replace('e+', 'e')
}

/** A share on an axis, in percent. */
export function shareLabel(value: number): string {
  return `${numberLabel(Number((value * 100).toPrecision(8)))}%`
}
