import type { Extent } from './axis.js'
import { evenSteps } from './even-steps.js'

/** Powers of ten, with 2 and 5 between them while there is room; even steps where they are too few. */
export function logTicks({ low, high }: Extent, { most }: { readonly most: number }): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))]
  const every = Math.max(1, Math.ceil((last - first) / most))
  const ticksWith = (digits: readonly number[]) => {
    const found: number[] = []
    for (let power = first; power <= last; power += every)
      for (const digit of digits) found.push(Number(`${digit}e${power}`))
    return found.filter((tick) => tick >= low && tick <= high)
  }
  const choices = [[1, 2, 5], [1, 3], [1]].map(ticksWith)
  const fitting = choices.find((ticks) => ticks.length <= most) ?? choices.at(-1)!
  return fitting.length >= 2 ? fitting : evenSteps({ low, high }, { most })
}
