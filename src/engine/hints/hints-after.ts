import type {
  FetchAnswer,
  Hint,
  HostHints,
  Json,
  Observation,
  PageRecord,
} from '../../model/index.js'
import type { Publishers } from '../step.js'
import { declaredIn, heardHints, hintsView } from './heard-hints.js'
import { hostHintsFrom, hostHintsJson, pageHintsFrom, pageHintsJson } from './kept-hints.js'

/** What a visit makes of the hints in the store. */
export interface HintsAfter {
  /** For the policy. */
  readonly publishers: Publishers
  readonly host: Json
  /** For the page's row, once it is known whether a hint made the next visit an early one. */
  hints(early: boolean): Json
}

/**
 * The hints of a page and its host after a visit that saw it, from and for
 * their rows. Null where nobody listens, and where a page never had any.
 */
export function hintsAfter(
  told: {
    readonly lease: { readonly page: PageRecord }
    readonly answer: FetchAnswer
    readonly hints?: readonly Hint[]
    readonly hostHints?: Json
  },
  visit: { readonly at: number; readonly observation: Observation | null },
): HintsAfter | null {
  const { page } = told.lease
  if (told.hints === undefined || !isTold(page, told.hints)) return null
  const isList = page.settings.role === 'list'
  const before = { page: pageHintsFrom(page.hints), host: hostHintsFrom(told.hostHints) }
  const whole = told.answer.kind === 'content'
  const heard = heardHints(before, { ...visit, told: told.hints, whole, plannedGap: planned(page) })
  const declared = declaredIn(heard.page)
  return {
    publishers: { declared, hints: hintsView(heard, { visits: page.visits + 1 }) },
    host: hostHintsJson(isList ? looked(heard.host, { list: page.id, at: visit.at }) : heard.host),
    hints: (early) => pageHintsJson({ ...heard.page, early }),
  }
}

/** Whether anything is told of a page, now or before, or by it: of most pages nothing ever is. */
export function isTold(page: PageRecord, hints: readonly Hint[]): boolean {
  return hints.length > 0 || page.hints !== null || page.settings.role === 'list'
}

/** A list that was seen, changed or not, speaks for its pages up to now. */
function looked(host: HostHints, { list, at }: { list: string; at: number }): HostHints {
  return { ...host, looked: { ...host.looked, [list]: at } }
}

/** The gap that the policy asked for last; the third of the numbers that a row holds. */
function planned({ state }: PageRecord): number {
  return state?.numbers[2] ?? 0
}
