import { OptionError } from '../../model/index.js'

/** A whole number from `from` on. */
export function parseCount(
  text: string,
  { option, from }: { readonly option: string; readonly from: number },
): number {
  const value = /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(value) && value >= from && value <= 2 ** 51) return value
  throw new OptionError(
    'bad-count',
    `${option} takes a whole number from ${from} on; got "${text}"`,
  )
}
