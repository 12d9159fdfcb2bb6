/** The paper's own count of M6, over all pairs: what the sweep must equal to the bit. */
export function quadraticPairs(
  visits: { times: ArrayLike<number>; runs: ArrayLike<number> },
  { binWidth, count }: { binWidth: number; count: number },
): { pairs: number[]; withChange: number[] } {
  const pairs = Array<number>(count).fill(0)
  const withChange = Array<number>(count).fill(0)
  const { times, runs } = visits
  for (let i = 0; i < times.length; i++)
    for (let j = i + 1; j < times.length; j++) {
      const bin = Math.ceil((times[j]! - times[i]!) / binWidth)
      if (bin > count) continue
      pairs[bin - 1]! += 1
      if (runs[i] !== runs[j]) withChange[bin - 1]! += 1
    }
  return { pairs, withChange }
}
