import { Agent, buildConnector } from 'undici'
import type { AddressGuard } from '../address/address-guard.js'
import type { FetchLimits } from './fetch-limits.js'

/**
 * Connections that go only where the guard lets them, one per host and port,
 * kept open for a few seconds. The guard is asked here, and nowhere nearer to
 * the caller, so that no path around it exists: names through `lookup`, and
 * addresses written out, which sockets never look up, directly.
 */
export function guardedAgent({
  guard,
  limits,
  connectionsPerHost,
}: {
  readonly guard: AddressGuard
  readonly limits: FetchLimits
  readonly connectionsPerHost: number
}): Agent {
  const connect = buildConnector({
    lookup: guard.lookup,
    timeout: limits.connectTime * 1000,
    autoSelectFamily: true,
  })
  return new Agent({
    connections: connectionsPerHost,
    pipelining: 1,
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 10_000,
    maxHeaderSize: limits.headerBytes,
    // Deadline sets the limits on time.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, callback) {
      try {
        guard.checkLiteral(options.hostname)
      } catch (error) {
        callback(error as Error, null)
        return
      }
      connect(options, callback)
    },
  })
}
