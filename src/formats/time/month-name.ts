const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const rest = ['uary', 'ruary', 'ch', 'il', '', 'e', 'y', 'ust', 'tember', 'ober', 'ember', 'ember']

/** The number of a month by its English name, short (`Nov`) or whole; 0 if it is none. */
export function monthNumber(name: string): number {
  const lower = name.toLowerCase()
  const found = months.indexOf(lower.slice(0, 3))
  const tail = lower.slice(3)
  return found === -1 || (tail !== '' && tail !== rest[found]) ? 0 : found + 1
}
