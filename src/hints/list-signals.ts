import {
  type Claim,
  type Hint,
  type HintKind,
  type KeptHint,
  noTally,
  type PageHints,
} from '../model/hint.js'
import type { PageChange, PageRecord } from '../model/page.js'
import { hostHintsFrom, pageHintsFrom, pageHintsJson } from '../model/stored-hints.js'
import type { Json, RandomSource, UnixSeconds } from '../model/units.js'
import { dueBySignal } from '../planner/evidence/due-by-signal.js'
import { stateSummary, unpackState } from '../planner/learned-step.js'
import type { Planner } from '../planner/step.js'
import { hintsView } from './weighed-hints.js'

/** What a list says of a page, and when. */
export interface ListSignal {
  readonly hints: readonly Hint[]
  /** The id of the list's own page; null where it is not followed. */
  readonly source: string | null
  readonly now: UnixSeconds
  /** When the list was polled before; left out or null where it was not. */
  readonly before?: UnixSeconds | null
}

/** A page's hints with what a list has just reported of it; how they did before stays. */
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

/** The first report of a change since the last visit. */
function isLater(claim: Claim, kept: KeptHint | undefined): boolean {
  if (claim.says !== 'changed-at' || kept?.claim?.says !== 'changed-at') return false
  return kept.unchangedUntil === undefined && claim.at > kept.claim.at
}

/**
 * What a list's report changes of a page: its hints, and, where its policy
 * follows them and the hint is trusted, when it is due. Pure.
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
  const waiting = {
    lastSeen,
    plannedGap: stateSummary(state)?.plannedGap ?? 0,
    now: changeSignal.now,
  }
  const known = unpackState(changeSignal.planner, page, changeSignal.random)
  const due = dueBySignal(changeSignal.planner, known, { hints: view, waiting, due: page.due })
  if (due === null) return { hints: pageHintsJson(hints) }
  return { hints: pageHintsJson({ ...hints, early: true }), due }
}
