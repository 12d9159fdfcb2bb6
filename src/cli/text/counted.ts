/** A number with its noun: `1 page`, `2 pages`, `3 addresses`, `4 copies`. */
export function counted(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`
  if (/[^aeiou]y$/.test(noun)) return `${number} ${noun.slice(0, -1)}ies`
  return `${number} ${noun}${/(s|x|ch|sh)$/.test(noun) ? 'es' : 's'}`
}
