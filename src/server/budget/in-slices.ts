import { setImmediate } from 'node:timers/promises'
import type { Sliced } from '../../schedule/index.js'

/** Real milliseconds of work before others get their turn. */
const most = 10

/** Does sliced work to its end without holding others up. */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  let began = performance.now()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() - began < most) continue
    await setImmediate()
    began = performance.now()
  }
}
