/**
 * Many small arrays as one, for the way to another thread: each array of its
 * own would cost more than what it holds, and a view would take all of the
 * memory that it looks at along.
 */
export function joinedNumbers(arrays: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  return joined(arrays, (length) => new Float64Array(length))
}

export function joinedBytes(arrays: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return joined(arrays, (length) => new Uint8Array(length))
}

function joined<A extends Float64Array | Uint8Array>(
  arrays: readonly { readonly length: number }[],
  make: (length: number) => A,
): A {
  const all = make(arrays.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const each of arrays) {
    all.set(each as A, at)
    at += each.length
  }
  return all
}

/** Takes joined arrays apart again, one after the other. */
export class Parts<A extends Float64Array | Uint8Array> {
  readonly #all: A
  #at = 0

  constructor(all: A) {
    this.#all = all
  }

  next(length: number): A {
    const part = this.#all.subarray(this.#at, this.#at + length) as A
    this.#at += length
    return part
  }
}
