import type { ChosenPages } from '../../../engine/index.js'
import type { PageRecord, Store, UnixSeconds } from '../../../model/index.js'
import { timeAndMoment } from '../../text/human-moment.js'

interface Waiting {
  readonly store: Pick<Store, 'getHost'>
  readonly chosen: Pick<ChosenPages, 'waiting' | 'underWay'>
  readonly now: () => UnixSeconds
  readonly note: (text: string) => void
}

/** For so many milliseconds nobody is told. */
const pause = 2000

/**
 * Says what is waited for where nothing else was said for a while, and again
 * when it is something else.
 */
export class WaitingNotes {
  readonly #with: Waiting
  #timer: NodeJS.Timeout | undefined
  #told: string | undefined

  constructor(waiting: Waiting) {
    this.#with = waiting
    this.#timer = this.#start()
  }

  /** A visit was told. */
  heard(): void {
    this.end()
    this.#timer = this.#start()
  }

  end(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #start(): NodeJS.Timeout {
    // Notes are worth no failure: a store that is closing has no more to tell.
    return setInterval(() => void this.#look().catch(() => {}), pause)
  }

  async #look(): Promise<void> {
    const timer = this.#timer
    const { chosen, note } = this.#with
    const [next, ...others] = await this.#hosts(chosen.waiting)
    const { underWay } = chosen
    const key = next === undefined ? `${underWay}` : `${next.host} ${next.rests}`
    // A visit may have been told meanwhile, or the last one.
    if (timer !== this.#timer || key === this.#told || key === '0') return
    this.#told = key
    if (next === undefined) note(`${underWay} under way`)
    else note(`waiting for ${next.host}${this.#why(next.rests)}${more(others.length)}`)
  }

  /** Of these pages, those that are free soonest first. */
  async #hosts(pages: readonly PageRecord[]): Promise<HostWait[]> {
    const { store, now } = this.#with
    const names = [...new Set(pages.map(({ host }) => host))]
    const waits = await Promise.all(
      names.map(async (host) => {
        const until = (await store.getHost(host))?.blockedUntil ?? 0
        return { host, rests: until > now() ? until : 0 }
      }),
    )
    return waits.sort((a, b) => a.rests - b.rests)
  }

  #why(rests: UnixSeconds): string {
    if (rests === 0) return ', which is being visited'
    return `, which rests until ${timeAndMoment(rests, this.#with.now())}`
  }
}

interface HostWait {
  readonly host: string
  /** Until when; 0 where it does not. */
  readonly rests: UnixSeconds
}

function more(hosts: number): string {
  return hosts === 0 ? '' : ` (and ${hosts} more ${hosts === 1 ? 'host' : 'hosts'})`
}
