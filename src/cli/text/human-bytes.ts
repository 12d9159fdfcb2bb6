const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** A size as a person says it: `812 bytes`, `12 kB`, `3.4 MB`; thousands, not 1,024s. */
export function humanBytes(size: number): string {
  if (size === 1) return '1 byte'
  let value = size
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  const text = unit > 0 && value < 9.95 ? value.toFixed(1) : String(Math.round(value))
  return `${text} ${units[unit]}`
}
