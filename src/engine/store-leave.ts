import type { Clock, Seconds, Store, VisitLeave } from '../model/index.js'

/** What visits ask of a store: hosts to hold, and records to book. */
export function storeLeave(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  { worker, ttl, signal }: { worker: string; ttl: Seconds; signal?: AbortSignal | undefined },
): VisitLeave {
  return {
    hold: (host) => store.holdHost({ host, worker, ttl, now: clock.now() }),
    release: (hold, record) =>
      record === undefined ? store.releaseHost(hold) : store.releaseHost(hold, record),
    book: async (host) => (await store.putHosts([host]))[0] === true,
    ...(signal === undefined ? {} : { signal }),
  }
}
