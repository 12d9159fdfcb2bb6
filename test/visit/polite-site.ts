import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressOptions } from '../../src/fetch/address-guard.js'
import { HostGate } from '../../src/visit/politeness/host-gate.js'
import { PoliteVisitor } from '../../src/visit/politeness/polite-visitor.js'
import type { Politeness } from '../../src/visit/politeness/politeness.js'
import { VirtualClock } from '../fixtures/clocks.js'
import { localServer } from '../fixtures/local-server.js'
import { localFetcher } from './local-fetcher.js'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A site with a robots.txt, given as its text, its status or its answer; remembers what it was asked. */
export async function site(
  robots: string | number | Answer,
  page: Answer = (_, response) => response.end('page'),
) {
  const asked: string[] = []
  const base = await localServer((request, response) => {
    asked.push(request.url!)
    if (request.url !== '/robots.txt') return page(request, response)
    if (typeof robots === 'function') return robots(request, response)
    if (typeof robots === 'number') response.statusCode = robots
    response.end(typeof robots === 'string' ? robots : '')
  })
  return { base, asked }
}

/** A redirect to an address. */
export const to =
  (location: string): Answer =>
  (_, response) =>
    response.writeHead(302, { location }).end()

/** A visitor by a clock that moves only while somebody sleeps. */
export function setUp(changed: Partial<Politeness> = {}, options: AddressOptions = {}) {
  const clock = new VirtualClock()
  const gate = new HostGate({ clock, politeness: { delay: 5, ...changed } })
  return {
    clock,
    gate,
    visitor: new PoliteVisitor({ clock, gate, fetcher: localFetcher({ clock, ...options }) }),
  }
}
