import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/crawler/system-clock.js'
import type { ChannelRecord } from '../../src/model/outbox.js'
import type { Json } from '../../src/model/units.js'
import { type Conditions, checkedSettings, type GivenTarget } from '../../src/notify/channel.js'
import { Notifier, type NotifierOptions } from '../../src/notify/notifier.js'
import { Random } from '../../src/numeric/random.js'
import { collection, WatchedPages } from './watched-pages.js'

export const allowedNetworks = ['127.0.0.0/8']

/** A notifier at work over a store, in real time but with short waits. */
export class ANotifier {
  readonly pages: WatchedPages
  readonly notifier: Notifier
  #work: Promise<void> = Promise.resolve()
  readonly #stop = new AbortController()
  readonly errors: unknown[] = []

  constructor(more: Partial<NotifierOptions> = {}) {
    this.pages = new WatchedPages(more.store)
    this.notifier = new Notifier({
      store: this.pages.store,
      collection,
      clock: systemClock,
      random: new Random(4),
      worker: 'test',
      version: '0.0.0',
      allowedNetworks,
      pollEvery: 0.01,
      sendTime: 2,
      retry: { firstWait: 0.02, longestWait: 0.05 },
      onError: (error) => this.errors.push(error),
      ...more,
    })
    onTestFinished(() => this.stop())
  }

  start(): void {
    this.#work = this.notifier.run(this.#stop.signal)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#work
    await this.notifier.close()
  }

  /** Told of visits made since long ago, so that tests may use times of their own. */
  async channel(name: string, target: GivenTarget, when?: Conditions): Promise<ChannelRecord> {
    const given = { target, ...(when === undefined ? {} : { when }) }
    const settings = checkedSettings(given, { allowedNetworks }) as unknown as Json
    const { outbox } = this.pages.store
    return outbox.addChannel({ collection, name, settings, now: 0, cursor: 0 })
  }
}

/** Waits in real time until something holds; the test's own limit ends it. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10))
}
