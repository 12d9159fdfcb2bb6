import type { FetchAnswer } from '../model/fetcher.js'
import { type Hint, type HostHints, hintWeight, type PageHints } from '../model/hint.js'
import { type Observation, withUnchangedFor } from '../model/history.js'
import type { PageRecord } from '../model/page.js'
import { isList } from '../model/page.js'
import {
  hostHintsFrom,
  hostHintsJson,
  pageHintsFrom,
  pageHintsJson,
} from '../model/stored-hints.js'
import { DAY, type Json } from '../model/units.js'
import { stateSummary } from '../planner/learned-step.js'
import type { Publishers } from '../planner/step.js'
import { declaredIn, hintsView, updatedHints } from './weighed-hints.js'

/** A list this sure is taken at its word, as a believable Last-Modified is. */
const sure = 0.8
const kinds = ['sitemap', 'feed'] as const

/**
 * An observation with what a list reported of it before the visit: until when it
 * still reported no change, and when the last one came. A page that is visited
 * because its list said "changed" is found changed at every visit; taken for
 * visits at any time, that would look as if it changed ever faster.
 */
export function adjustedObservation(
  observation: Observation,
  { kinds: reported }: PageHints,
): Observation {
  if (!observation.changed) return observation
  const { at, gap } = observation
  const seenAt = at - gap
  for (const kind of kinds) {
    const { claim = null, rating, unchangedUntil } = reported[kind] ?? {}
    if (claim?.says !== 'changed-at' || rating?.trusted !== true) continue
    if (hintWeight(rating) < sure || !(claim.at > seenAt && claim.at <= at)) continue
    const unchangedFor = Math.max(0, Math.min(unchangedUntil ?? seenAt, claim.at) - seenAt)
    // Midnight sharp stands for the whole day.
    const dated = claim.at % DAY === 0 ? {} : { contentAge: at - claim.at }
    return withUnchangedFor({ ...dated, ...observation }, unchangedFor)
  }
  return observation
}

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
 * their rows. Null where hints are not followed, and where a page never had any.
 */
export function hintsAfter(
  reported: {
    readonly lease: { readonly page: PageRecord }
    readonly answer: FetchAnswer
    readonly hints?: readonly Hint[]
    readonly hostHints?: Json
  },
  visit: { readonly at: number; readonly observation: Observation | null },
): HintsAfter | null {
  const { page } = reported.lease
  if (reported.hints === undefined || !isReported(page, reported.hints)) return null
  const list = isList(page.settings)
  const before = { page: pageHintsFrom(page.hints), host: hostHintsFrom(reported.hostHints) }
  const whole = reported.answer.kind === 'content'
  const hintState = updatedHints(before, {
    ...visit,
    reported: reported.hints,
    whole,
    plannedGap: stateSummary(page.state)?.plannedGap ?? 0,
  })
  const declared = declaredIn(hintState.page)
  return {
    publishers: { declared, hints: hintsView(hintState, { visits: page.visits + 1 }) },
    host: hostHintsJson(
      list ? polled(hintState.host, { list: page.id, at: visit.at }) : hintState.host,
    ),
    hints: (early) => pageHintsJson({ ...hintState.page, early }),
  }
}

/** Whether anything is reported of a page, now or before, or by it: of most pages nothing ever is. */
export function isReported(page: PageRecord, hints: readonly Hint[]): boolean {
  return hints.length > 0 || page.hints !== null || isList(page.settings)
}

/** A list that was seen, changed or not, speaks for its pages up to now. */
function polled(host: HostHints, { list, at }: { list: string; at: number }): HostHints {
  return { ...host, polled: { ...host.polled, [list]: at } }
}
