import { OptionError } from '../model/index.js'

/** Refuses a number of threads that cannot be. */
export function checkThreads(threads: number): void {
  if (Number.isInteger(threads) && threads >= 1 && threads <= 1024) return
  throw new OptionError('bad-threads', `threads is a whole number from 1 to 1024; got ${threads}`)
}
