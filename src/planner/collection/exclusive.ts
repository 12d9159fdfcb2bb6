/** What one process at a time does for all that share a store. */
export interface Exclusive {
  /** Does it unless another process is at it; whether it was done here. */
  attempt(work: () => Promise<void>): Promise<boolean>
  /** Does it once no other process is at it, or leaves it at the signal. */
  whenFree(work: () => Promise<void>, signal?: AbortSignal): Promise<void>
}

/** For a store that nobody else is at work on. */
export const alone: Exclusive = {
  async attempt(work) {
    await work()
    return true
  },
  whenFree: (work) => work(),
}
