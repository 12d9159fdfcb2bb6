import type { VersionDiffs } from '../content/bounded/version-diffs.js'
import type { ChannelRecord, DeliveryRecord, Outbox } from '../model/outbox.js'
import type { Store } from '../model/store.js'
import type { Clock, RandomSource, Seconds } from '../model/units.js'
import type { ChannelSettings } from './channel.js'
import { type RetryRule, retryWait, type Send, type SendResult } from './delivery.js'
import type { Notice } from './notice.js'
import { DeliveryPlanner } from './outbox-writer.js'
import type { Senders } from './send/senders.js'
import { digestDue, isQuiet, type Timing } from './timing.js'

export interface WorkerParts {
  readonly store: Store
  readonly clock: Clock
  readonly random: RandomSource
  readonly senders: Senders
  readonly diffs: VersionDiffs
  /** Names this process to the store. */
  readonly worker: string
  readonly retry: RetryRule
  /** Pause between polls for new visits. */
  readonly pollEvery: Seconds
  /** How long a channel is held; longer than sending takes. */
  readonly holdTime: Seconds
  /** What nobody foresaw, such as a store that cannot be read; the work goes on. */
  readonly onError: (error: unknown) => void
}

/** Deliveries sent before the log is polled again. */
const atOnce = 20
/** Notices in one mail. */
const mostInDigest = 200

type Failure = Extract<SendResult, { sent: false }>

/**
 * Sends what one channel has to tell, one delivery after another, in the order
 * of each page. Each channel has a worker of its own, so that a receiver that
 * is slow or dead holds back no other. A delivery is noted only after it was
 * received: a process killed in between sends it again.
 */
export class ChannelWorker {
  readonly #id: string
  readonly #parts: WorkerParts
  readonly #outbox: Outbox
  readonly #planner: DeliveryPlanner

  constructor(id: string, parts: WorkerParts) {
    this.#id = id
    this.#parts = parts
    this.#outbox = parts.store.outbox
    this.#planner = new DeliveryPlanner(parts)
  }

  /** Works until stopped, or until the channel is no more. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, pollEvery, onError } = this.#parts
    while (!signal.aborted) {
      let next: 'again' | 'later' | 'end' = 'later'
      try {
        next = await this.#round(signal)
      } catch (error) {
        onError(error)
      }
      if (next === 'end') return
      if (next === 'later') await clock.sleep(pollEvery, signal)
    }
  }

  /** Plans and sends what can be sent now. */
  async flush(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted && (await this.#round(signal)) === 'again');
    } catch (error) {
      this.#parts.onError(error)
    }
  }

  async #round(signal: AbortSignal): Promise<'again' | 'later' | 'end'> {
    const channel = await this.#outbox.channel(this.#id)
    if (channel === null) return 'end'
    if (!channel.enabled || !(await this.#hold())) return 'later'
    const more = await this.#planner.plan(channel)
    if ((channel.restsUntil ?? 0) > this.#parts.clock.now()) return more ? 'again' : 'later'
    const { target, message, timing = {} } = channel.settings as unknown as ChannelSettings
    if (isQuiet(timing, this.#parts.clock.now())) return more ? 'again' : 'later'
    const send = this.#parts.senders.for(target, message)
    // A mail's own digest is that of an earlier release.
    const digest = timing.digest ?? (target.kind === 'email' ? target.digest : undefined)
    const sent =
      digest === undefined
        ? await this.#sendEach(channel, { send, signal })
        : await this.#sendDigest(channel, { send, timing: { ...timing, digest } })
    return sent || more ? 'again' : 'later'
  }

  #hold(): Promise<boolean> {
    const { clock, worker, holdTime } = this.#parts
    const now = clock.now()
    return this.#outbox.holdChannel({ channel: this.#id, worker, now, until: now + holdTime })
  }

  /** Whether there may be more to send at once. */
  async #sendEach(
    channel: ChannelRecord,
    { send, signal }: { send: Send; signal: AbortSignal },
  ): Promise<boolean> {
    const now = this.#parts.clock.now()
    const found = await this.#outbox.sendable({ channel: channel.id, now, limit: atOnce })
    for (const delivery of found) {
      if (signal.aborted || !(await this.#hold())) return false
      if (!(await this.#sendNow(channel, { send, deliveries: [delivery] }))) return false
    }
    return found.length > 0
  }

  async #sendDigest(
    channel: ChannelRecord,
    { send, timing }: { send: Send; timing: Timing },
  ): Promise<boolean> {
    const found = await this.#outbox.pending({ channel: channel.id, limit: mostInDigest })
    const [oldest] = found
    if (oldest === undefined) return false
    const ripe = digestDue(timing, oldest.madeAt) <= this.#parts.clock.now()
    if (!ripe && found.length < mostInDigest) return false
    return this.#sendNow(channel, { send, deliveries: found })
  }

  /** Sends and notes what came of it; whether the next may be sent. */
  async #sendNow(
    channel: ChannelRecord,
    { send, deliveries }: { send: Send; deliveries: readonly DeliveryRecord[] },
  ): Promise<boolean> {
    const result = await send(
      deliveries.map(({ id, event }) => ({ id, notice: event as unknown as Notice })),
    )
    if (!result.sent) return this.#failed(channel, { deliveries, failure: result })
    await this.#outbox.noteDelivered({
      channel: channel.id,
      deliveries: deliveries.map(({ id }) => id),
      now: this.#parts.clock.now(),
    })
    return true
  }

  async #failed(
    { id: channel }: ChannelRecord,
    { deliveries, failure }: { deliveries: readonly DeliveryRecord[]; failure: Failure },
  ): Promise<boolean> {
    const { clock, retry, random } = this.#parts
    const now = clock.now()
    const { blame, error } = failure
    const { failures = 0, failingSince = null } = (await this.#outbox.channel(channel)) ?? {}
    const spent = blame === 'receiver' ? failures : Math.max(...deliveries.map((d) => d.attempts))
    const again = now + retryWait(spent + 1, { rule: retry, random })
    const restsUntil = blame === 'receiver' ? again : null
    const old = ({ firstAt }: DeliveryRecord) =>
      firstAt !== null && now - firstAt >= retry.giveUpAfter
    const part = (those: readonly DeliveryRecord[]) => those.map(({ id }) => id)
    const noted = { channel, now, error }
    const ended = part(deliveries.filter(old))
    if (ended.length > 0)
      await this.#outbox.noteFailed({ ...noted, deliveries: ended, nextAt: null, restsUntil: null })
    const tried = part(deliveries.filter((each) => !old(each)))
    await this.#outbox.noteFailed({ ...noted, deliveries: tried, nextAt: again, restsUntil })
    // What waited behind the one that was tried has had its time too.
    if (restsUntil !== null && failingSince !== null && now - failingSince >= retry.giveUpAfter)
      await this.#outbox.giveUp({ ...noted, madeBy: now - retry.giveUpAfter })
    return blame === 'notice'
  }
}
