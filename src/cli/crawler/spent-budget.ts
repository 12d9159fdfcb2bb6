import type { UnixSeconds } from '../../model/index.js'
import { counted } from '../text/counted.js'
import { timeAndMoment } from '../text/human-moment.js'
import type { Configured } from './configured.js'

/** That the day's budget of requests is used up, and when it opens again. */
export function spentText({
  requestsPerDay,
  opens,
  now,
}: {
  readonly requestsPerDay: number | null
  readonly opens: UnixSeconds
  readonly now: UnixSeconds
}): string {
  const budget = counted(requestsPerDay ?? 0, 'request')
  return `the day's budget of ${budget} (requests-per-day) is used up; it opens again at ${timeAndMoment(opens, now)}`
}

/** Says so once for each day: every page that is due finds it out. */
export class SpentBudget {
  readonly #with: Configured
  readonly #note: (text: string) => void
  #opens: UnixSeconds = -Infinity

  constructor(configured: Configured, note: (text: string) => void) {
    this.#with = configured
    this.#note = note
  }

  heard(opens: UnixSeconds): void {
    if (opens === this.#opens) return
    this.#opens = opens
    const { config, crawler } = this.#with
    this.#note(spentText({ ...config, opens, now: crawler.clock.now() }))
  }

  /** Whether pages are due still for want of requests. */
  get isSpent(): boolean {
    return this.#with.crawler.clock.now() < this.#opens
  }
}
