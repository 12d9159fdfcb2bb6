import type { HintsView, WeighedHint } from '../../model/hint.js'
import type { Due } from '../../model/policy.js'
import type { UnixSeconds } from '../../model/units.js'
import { applyHints, type PageState, type Planner } from '../step.js'
import { signalWords, tellsOfChange } from './hint-forecast.js'

/** A page is not called for before this share of the gap that its policy asked for. */
const soonest = 0.25

/** What is known of a page when a list has just been polled. */
export interface Waiting {
  readonly lastSeen: UnixSeconds | null
  /** The gap that the policy asked for. */
  readonly plannedGap: number
  readonly now: UnixSeconds
}

/**
 * The trusted hint that tells of a change we have not seen, where a visit now
 * would not waste more than hints may; null where there is none. Pure.
 */
export function changeSignalIn(
  { reported, allowance }: HintsView,
  waiting: Waiting,
): WeighedHint | null {
  const { lastSeen, now } = waiting
  if (lastSeen === null) return null
  const found = reported.find(
    (each) => each.trusted && tellsOfChange(each, { since: lastSeen, now }),
  )
  const most = Math.min(allowance, 1 - soonest)
  return found !== undefined && earliness(waiting) <= most ? found : null
}

/**
 * When a page is due after a list's change signals of it, by its policy; null where they
 * change nothing. `state` is the page's as its last visit left it, null where
 * the policy cannot read it. Pure.
 */
export function dueBySignal(
  { policy, learner }: Planner,
  state: PageState | null,
  about: { readonly hints: HintsView; readonly waiting: Waiting; readonly due: Due },
): Due | null {
  const { hints, waiting, due } = about
  const { now } = waiting
  // A page that is visited no more, by its policy or a person's wish, stays so.
  if (due.at === 'never' || due.at <= now || policy.moved === undefined) return null
  if (policy.called === undefined) {
    const found = changeSignalIn(hints, waiting)
    const at = Math.max(now, (waiting.lastSeen ?? 0) + (policy.minGap ?? 0))
    return found === null || at >= due.at ? null : { at, reason: signalWords(found) }
  }
  if (state === null) return null
  state.hints = hints
  state.posterior = learner?.posterior?.(state.memory) ?? null
  applyHints(learner, state)
  const since = { elapsed: now - state.at, gap: due.at - state.at }
  const moved = policy.called(state, since)
  return moved === null ? null : { at: Math.max(now, state.at + moved.gap), reason: moved.why }
}

/** How early a visit now would be, as a share of the gap that the policy asked for. */
function earliness({ plannedGap, lastSeen, now }: Waiting): number {
  if (!(plannedGap > 0) || lastSeen === null) return 0
  return plannedGap === Infinity ? 1 : Math.min(1, Math.max(0, 1 - (now - lastSeen) / plannedGap))
}
