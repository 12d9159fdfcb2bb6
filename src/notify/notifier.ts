import { VersionDiffs } from '../content/bounded/version-diffs.js'
import type { Store } from '../model/store.js'
import { type Clock, DAY, HOUR, type RandomSource, type Seconds } from '../model/units.js'
import type { ChannelSettings } from './channel.js'
import { ChannelWorker, type WorkerParts } from './channel-worker.js'
import { defaultRetry, type RetryRule, type SendResult } from './delivery.js'
import { testNotice } from './notice.js'
import { type ChangingSenders, Senders, type SendersOptions } from './send/senders.js'

export interface NotifierOptions extends Omit<SendersOptions, 'clock'> {
  readonly store: Store
  readonly collection: string
  readonly clock: Clock
  readonly random: RandomSource
  /** Names this process to the store. */
  readonly worker: string
  readonly retry?: Partial<RetryRule>
  /** Pause between polls for new visits and channels; 1 s by default. */
  readonly pollEvery?: Seconds
  /** After so long another process takes over the channels of one that was killed; 30 s by default. */
  readonly holdTime?: Seconds
  /** How long the difference of one change may take to find; 5 s by default. */
  readonly diffTime?: Seconds
  readonly onError?: (error: unknown) => void
}

/** Deliveries that ended are kept so long to be looked at. */
const keepEnded = 30 * DAY

/** Tells of changes through every channel of a collection, until it is stopped. */
export class Notifier {
  readonly #collection: string
  readonly #parts: WorkerParts
  readonly #workers = new Map<string, Promise<void>>()

  constructor(options: NotifierOptions) {
    const { store, collection, clock, random, worker, retry, ...rest } = options
    const { pollEvery = 1, holdTime = 30, diffTime, onError = () => {}, ...sending } = rest
    this.#collection = collection
    this.#parts = {
      store,
      clock,
      random,
      worker: `${worker} notifier`,
      senders: new Senders({ ...sending, clock }),
      diffs: new VersionDiffs({
        threads: 1,
        ...(diffTime === undefined ? {} : { time: diffTime }),
      }),
      retry: { ...defaultRetry, ...retry },
      pollEvery,
      holdTime,
      onError,
    }
  }

  /** Sends by other settings from the next message on. */
  use(changed: ChangingSenders): void {
    this.#parts.senders.use(changed)
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, pollEvery, store, worker, onError } = this.#parts
    let tidyAt = clock.now()
    while (!signal.aborted) {
      try {
        await this.#poll(signal)
        if (clock.now() >= tidyAt) {
          tidyAt = clock.now() + HOUR
          await store.outbox.forgetEnded({ now: clock.now(), after: keepEnded })
        }
      } catch (error) {
        onError(error)
      }
      await clock.sleep(pollEvery, signal)
    }
    await Promise.all(this.#workers.values())
    await store.outbox.release(worker)
  }

  /** Sends what can be sent now through every channel, for a process that is about to end. */
  async flush({ within }: { readonly within: Seconds }): Promise<void> {
    const { store, worker } = this.#parts
    const signal = AbortSignal.timeout(within * 1000)
    const channels = await store.outbox.channels(this.#collection)
    await Promise.all(channels.map(({ id }) => new ChannelWorker(id, this.#parts).flush(signal)))
    await store.outbox.release(worker)
  }

  /** Sends a test through a channel now, past all that waits; a success ends the channel's rest. */
  async test(channel: string): Promise<SendResult | null> {
    const { store, senders, clock } = this.#parts
    const record = await store.outbox.channel(channel)
    if (record === null) return null
    const { target, message } = record.settings as unknown as ChannelSettings
    const now = clock.now()
    const result = await senders.for(
      target,
      message,
    )([{ id: `test-${Math.floor(now * 1000)}`, notice: testNotice(record, now) }])
    if (result.sent) await store.outbox.noteDelivered({ channel, deliveries: [], now })
    return result
  }

  async close(): Promise<void> {
    await Promise.all([this.#parts.senders.close(), this.#parts.diffs.close()])
  }

  /** Channels may be added and removed at any time, by other processes too. */
  async #poll(signal: AbortSignal): Promise<void> {
    for (const { id } of await this.#parts.store.outbox.channels(this.#collection)) {
      if (this.#workers.has(id)) continue
      const work = new ChannelWorker(id, this.#parts).run(signal)
      this.#workers.set(
        id,
        work.finally(() => this.#workers.delete(id)),
      )
    }
  }
}
