/**
 * Many small arrays as one, for the way to another thread: each array of its
 * own would cost more than what it holds, and a view would take all of the
 * memory that it looks at along.
 */
export function joinedBytes(arrays: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(arrays.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const each of arrays) {
    all.set(each, at)
    at += each.length
  }
  return all
}
