import type { Permit } from '../gate/host-gate.js'

/** A request that cannot be made at all throws; its host is not to stay closed for that. Gives the error, to be thrown on. */
export function calledOff(error: unknown, permits: readonly Permit[]): unknown {
  const message = String(error)
  for (const permit of permits)
    permit.leave({ kind: 'failed', fault: 'aborted', message, at: 0, bytesReceived: 0 })
  return error
}
