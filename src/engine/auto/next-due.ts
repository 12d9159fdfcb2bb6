import type { Due, PageRecord, RandomSource, UnixSeconds } from '../../model/index.js'
import { notAllAtOnce } from '../../planner/index.js'
import type { AllowedHours } from '../../schedule/allowed-hours.js'
import { dueWithin, reopened } from '../due-within.js'
import { keptView } from '../hints/heard-hints.js'
import { pageHintsFrom } from '../hints/kept-hints.js'
import { dueByNews } from '../hints/list-news.js'
import { unpackState } from '../packed-state.js'
import { type Mind, reconsider } from '../step.js'

export interface NextDueParts {
  readonly random: RandomSource
  readonly mindFor: (page: PageRecord) => Mind
  /** The hours in which a page may be visited; left out where there are none. */
  readonly hoursFor?: (page: PageRecord) => AllowedHours | null
}

/** When a page that was seen before, and whose state its mind can read, is to be visited next. */
export class NextDue {
  readonly #parts: NextDueParts

  constructor(parts: NextDueParts) {
    this.#parts = parts
  }

  /** By what is believed now; one overdue by it waits for a moment of its own, of the day or of its gap. */
  planned(page: PageRecord, now: UnixSeconds): Due {
    const due = this.#believed(page, now)
    if (due.at === 'never' || due.at > now) return this.#within(page, due)
    const { random } = this.#parts
    const at = notAllAtOnce(due.at, { lastSeen: page.lastSeen!, now, random })
    return this.#within(page, { at, reason: due.reason })
  }

  /** The same where overdue is overdue. */
  wanted(page: PageRecord, now: UnixSeconds): Due {
    return this.#within(page, this.#believed(page, now))
  }

  /** Of a page that was put off and never visited: now, or when the hours of now allow it. */
  reopened(page: PageRecord, now: UnixSeconds): Due {
    return this.#within(page, reopened(page.due, now))
  }

  #within(page: PageRecord, due: Due): Due {
    return dueWithin(due, this.#parts.hoursFor?.(page) ?? null)
  }

  /** What its hints were worth at the last visit counts, and what lists told since. */
  #believed(page: PageRecord, now: UnixSeconds): Due {
    const { mindFor, random } = this.#parts
    const mind = mindFor(page)
    const state = unpackState(mind, page, random)!
    state.changed = page.lastVisit?.outcome === 'changed'
    if (mind.policy.moved === undefined || page.hints === null) return reconsider(mind, state).due
    const hints = keptView(pageHintsFrom(page.hints), { visits: page.visits })
    state.hints = hints
    const { due, state: next } = reconsider(mind, state)
    const waiting = { lastSeen: page.lastSeen, plannedGap: next.plannedGap, now }
    return dueByNews(mind, next, { hints, waiting, due }) ?? due
  }
}
