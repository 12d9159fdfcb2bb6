/** The name that was probably meant: at most two letters off, or none. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const near = names
    .map((name) => ({ name, off: lettersOff(given, name) }))
    .filter(({ off }) => off <= 2)
  return near.sort((a, b) => a.off - b.off)[0]?.name
}

/** Levenshtein's distance, with one row kept. O(n m). */
function lettersOff(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same))
    }
    row = next
  }
  return row[other.length]!
}
