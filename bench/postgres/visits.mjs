/** Pages leased and recorded together. */
export const batch = 100

export const state = {
  learner: 'x',
  numbers: Float64Array.from({ length: 40 }, (_, at) => (at % 3 === 0 ? at * 1.1 : 0)),
}

/** Far enough that nothing comes again within a run; the time is the bench's own. */
export const nextDue = (now, after = 30 * 86_400) => ({
  at: now + after,
  reason: 'value 2.1x the price of a request',
})

/** Leases a batch and records a visit to each page, as the loop does; how long the lease took. */
export async function visitDue(store, { collection, worker, now = Date.now() / 1000, again }) {
  const began = performance.now()
  const terms = { collection, now, limit: batch, perHost: 1, ttl: 600, worker }
  const leases = await store.leaseDue(terms)
  const lease = performance.now() - began
  const results = await store.recordVisits(
    leases.map((held) => ({
      lease: held,
      due: nextDue(now, again),
      state,
      validators: { etag: '"abcdefgh"' },
      visit: {
        at: now,
        outcome: 'unchanged',
        status: 304,
        gap: null,
        contentAge: null,
        fingerprint: 'aabbccddeeff00112233445566778899',
        bytes: 300,
        duration: 0.1,
        fault: null,
      },
      host: {
        host: held.host,
        state: { asked: 1, delay: 5, robots: 'none' },
        blockedUntil: null,
        fence: { token: held.token, step: 1 },
      },
    })),
  )
  if (results.some((result) => result !== 'recorded')) throw new Error(`not all: ${results}`)
  return { visited: leases.length, lease }
}
