import type { LivePage } from './live-page.js'

/** What reached the demo's servers, counted. */
export interface RequestCounts {
  readonly total: number
  readonly byStatus: Readonly<Record<string, number>>
  /** Requests left without an answer. */
  readonly unanswered: number
  /** Requests for pages that robots.txt closes: a polite visitor makes none. */
  readonly disallowed: number
}

/** Counts requests at the moment of their answer. */
export class RequestTally {
  #total = 0
  #unanswered = 0
  #disallowed = 0
  readonly #byStatus = new Map<number, number>()

  /** The status is null where there was no answer. */
  count({ status, page }: { status: number | null; page: LivePage | undefined }): void {
    this.#total++
    if (page?.plan.access.kind === 'disallowed') this.#disallowed++
    if (status === null) this.#unanswered++
    else this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1)
  }

  counts(): RequestCounts {
    return {
      total: this.#total,
      byStatus: Object.fromEntries(this.#byStatus),
      unanswered: this.#unanswered,
      disallowed: this.#disallowed,
    }
  }
}
