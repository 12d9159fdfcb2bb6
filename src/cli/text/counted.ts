/** A number with its noun: `1 page`, `2 pages`, `3 addresses`. */
export function counted(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`
  return `${number} ${noun}${/(s|x|ch|sh)$/.test(noun) ? 'es' : 's'}`
}
