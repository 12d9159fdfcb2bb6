/** Work that others may interrupt wherever it yields, so that a server or a loop goes on meanwhile. */
export type Sliced<T> = Generator<void, T, void>

/** Such work done at once, for who need not do anything else meanwhile. */
export function finished<T>(work: Sliced<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** Such work with a pause after each slice. */
export async function withPauses<T>(work: Sliced<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    await pause()
  }
}
