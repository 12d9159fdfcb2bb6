/**
 * A number as it is written anywhere: 1.299,00, 1,299.00, 1 299,00, 1'299. What
 * stands last before one or two digits is the decimal sign; a single sign before
 * exactly three digits parts thousands, as shops write prices.
 */
export function writtenNumber(text: string): number | null {
  const bare = text.replace(/[\s'’\u00a0\u202f]/g, '')
  const found = /^\d[\d.,]*$/.exec(bare)
  if (found === null) return null
  const last = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','))
  if (last < 0) return Number(bare)
  const sign = bare[last]!
  const other = sign === '.' ? ',' : '.'
  const tail = bare.length - last - 1
  const single = bare.indexOf(sign) === last
  const parts = single && (tail !== 3 || bare.includes(other) || bare.startsWith('0'))
  const whole = (parts ? bare.slice(0, last) : bare).replace(/[.,]/g, '')
  return Number(parts ? `${whole}.${bare.slice(last + 1)}` : whole)
}
