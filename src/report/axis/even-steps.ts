import type { Extent } from './axis.js'

/** Round numbers at equal steps of 1, 2 or 5 times a power of ten, at most about `most` of them. */
export function evenSteps({ low, high }: Extent, { most }: { readonly most: number }): number[] {
  const rough = (high - low) / Math.max(1, most)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10) * power
  const first = Math.ceil(low / step)
  const count = Math.min(most + 2, Math.floor(high / step) - first + 1)
  return Array.from({ length: Math.max(0, count) }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  )
}
