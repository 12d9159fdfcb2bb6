import { DAY } from 'revisit/model'

/** A mean squared error in square days, for a person. */
export function squareDays(mse: number | null): string {
  if (mse === null) return 'none'
  const value = mse / DAY ** 2
  return value >= 1e5 ? value.toExponential(1) : String(Number(value.toPrecision(4)))
}
