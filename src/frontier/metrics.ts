import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Seconds } from '../model/units.js'
import { type AckStatus, ackStatus } from './wire.js'

const statusNames = new Map<AckStatus, string>(
  Object.entries(ackStatus).map(([name, status]) => [status, name]),
)

/** What operators watch of a frontier: numbers of this process, for Prometheus. */
export class FrontierMetrics {
  readonly #registry = new Registry()
  readonly #put
  readonly #given
  readonly #giving
  readonly #byDate
  readonly #visits
  readonly #streams

  constructor() {
    const registers = [this.#registry]
    this.#put = new Counter({
      name: 'revisit_frontier_items_total',
      help: 'Items that clients put, by what they are and how they were answered',
      labelNames: ['kind', 'status'],
      registers,
    })
    this.#given = new Counter({
      name: 'revisit_frontier_given_total',
      help: 'Addresses given to clients',
      registers,
    })
    this.#giving = new Histogram({
      name: 'revisit_frontier_get_seconds',
      help: 'How long GetURLs took, without the time in which the client did not read',
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    })
    this.#byDate = new Counter({
      name: 'revisit_frontier_by_client_date_total',
      help: "Known items scheduled by the client's date, by the metadata that was missing for a schedule of ours",
      labelNames: ['missing'],
      registers,
    })
    this.#visits = new Counter({
      name: 'revisit_frontier_visits_total',
      help: 'Known items recorded as visits, by outcome',
      labelNames: ['outcome'],
      registers,
    })
    this.#streams = new Gauge({
      name: 'revisit_frontier_streams',
      help: 'Streams on which clients put items',
      registers,
    })
  }

  put(kind: string, status: AckStatus): void {
    this.#put.inc({ kind, status: statusNames.get(status)! })
  }

  gave(addresses: number, took: Seconds): void {
    this.#given.inc(addresses)
    this.#giving.observe(took)
  }

  byDate(missing: string): void {
    this.#byDate.inc({ missing })
  }

  visited(outcome: string): void {
    this.#visits.inc({ outcome })
  }

  streamOpened(): void {
    this.#streams.inc()
  }

  streamClosed(): void {
    this.#streams.dec()
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }
}
