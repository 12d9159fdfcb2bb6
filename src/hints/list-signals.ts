import type {
  Claim,
  Hint,
  HintKind,
  HintsView,
  KeptHint,
  PageHints,
  WeighedHint,
} from '../model/hint.js'
import type { PageChange, PageRecord } from '../model/page.js'
import type { Due } from '../model/policy.js'
import type { Json, RandomSource, UnixSeconds } from '../model/units.js'
import { signalWords } from '../planner/evidence/hint-forecast.js'
import { unpackState } from '../planner/learned-step.js'
import { applyHints, type PageState, type Planner } from '../planner/step.js'
import { noTally } from './reliability.js'
import { hostHintsFrom, pageHintsFrom, pageHintsJson } from './stored-hints.js'
import { hintsView } from './weighed-hints.js'

/** A page is not called for before this share of the gap that its policy asked for. */
const soonest = 0.25

/** What a list says of a page, and when. */
export interface ListSignal {
  readonly hints: readonly Hint[]
  /** The id of the list's own page; null where it is not followed. */
  readonly source: string | null
  readonly now: UnixSeconds
  /** When the list was looked at before; left out or null where it was not. */
  readonly before?: UnixSeconds | null
}

/** A page's hints with what a list has just told of it; how they did before stays. */
export function taken(
  before: PageHints,
  { hints, source, now, before: polled }: ListSignal,
): PageHints {
  const kinds: Partial<Record<HintKind, KeptHint>> = { ...before.kinds }
  for (const { kind, claim } of hints)
    kinds[kind] = {
      ...{ tally: noTally, ...kinds[kind], claim, reportedAt: now, source },
      ...(isLater(claim, kinds[kind]) && polled != null ? { unchangedUntil: polled } : {}),
    }
  return { ...before, kinds }
}

/** The first news of a change since the last visit. */
function isLater(claim: Claim, kept: KeptHint | undefined): boolean {
  if (claim.says !== 'changed-at' || kept?.claim?.says !== 'changed-at') return false
  return kept.unchangedUntil === undefined && claim.at > kept.claim.at
}

/** What is known of a page when a list has just been looked at. */
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
  const found = reported.find((each) => each.trusted && isChangeSignal(each, waiting))
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

/**
 * What a list's change signals change of a page: its hints, and, where its policy listens
 * and the hints is trusted, when it is due. Pure.
 */
export function withListSignal(
  page: PageRecord,
  changeSignal: ListSignal & {
    readonly hostHints: Json | undefined
    readonly planner: Planner
    readonly random: RandomSource
  },
): PageChange {
  const hints = taken(pageHintsFrom(page.hints), changeSignal)
  const { lastSeen, visits, state } = page
  const view = hintsView({ page: hints, host: hostHintsFrom(changeSignal.hostHints) }, { visits })
  const waiting = { lastSeen, plannedGap: state?.numbers[2] ?? 0, now: changeSignal.now }
  const known = unpackState(changeSignal.planner, page, changeSignal.random)
  const due = dueBySignal(changeSignal.planner, known, { hints: view, waiting, due: page.due })
  if (due === null) return { hints: pageHintsJson(hints) }
  return { hints: pageHintsJson({ ...hints, early: true }), due }
}

/** A change that we have not seen yet, by a list that is not ahead of the clock. */
function isChangeSignal({ claim, kind }: WeighedHint, { lastSeen, now }: Waiting): boolean {
  if (claim.says !== 'changed-at' || kind === 'last-modified' || lastSeen === null) return false
  return claim.at > lastSeen && claim.at <= now + 2
}

/** How early a visit now would be, as a share of the gap that the policy asked for. */
function earliness({ plannedGap, lastSeen, now }: Waiting): number {
  if (!(plannedGap > 0) || lastSeen === null) return 0
  return plannedGap === Infinity ? 1 : Math.min(1, Math.max(0, 1 - (now - lastSeen) / plannedGap))
}
