import type {
  Due,
  Hint,
  HintKind,
  Json,
  KeptHint,
  PageChange,
  PageHints,
  PageRecord,
  UnixSeconds,
  WeighedHint,
} from '../../model/index.js'
import { type Heard, hintsView } from './heard-hints.js'
import { noTally } from './hint-tally.js'
import { hostHintsFrom, pageHintsFrom, pageHintsJson } from './kept-hints.js'

/** A page is not called for before this share of the gap that its policy asked for. */
const soonest = 0.25

/** What a list says of a page, and when. */
export interface News {
  readonly hints: readonly Hint[]
  /** The id of the list's own page; null where it is not followed. */
  readonly source: string | null
  readonly now: UnixSeconds
}

/** A page's hints with what a list has just told of it; how they did before stays. */
export function taken(before: PageHints, { hints, source, now }: News): PageHints {
  const kinds: Partial<Record<HintKind, KeptHint>> = { ...before.kinds }
  for (const { kind, claim } of hints)
    kinds[kind] = { claim, toldAt: now, source, tally: kinds[kind]?.tally ?? noTally }
  return { ...before, kinds }
}

/** What is known of a page when a list has just been looked at. */
export interface Waiting {
  readonly lastSeen: UnixSeconds | null
  /** The gap that the policy asked for. */
  readonly plannedGap: number
  readonly visits: number
  readonly now: UnixSeconds
}

/**
 * The believed hint that tells of a change we have not seen, where a visit now
 * would not waste more than hints may; null where there is none. Pure.
 */
export function newsIn(heard: Heard, waiting: Waiting): WeighedHint | null {
  const { told, allowance } = hintsView(heard, { visits: waiting.visits })
  const found = told.find((each) => each.believed && isNews(each, waiting))
  const most = Math.min(allowance, 1 - soonest)
  return found !== undefined && earliness(waiting) <= most ? found : null
}

/**
 * What a list's news change of a page: its hints, and, where its policy listens
 * and the hint is believed, when it is due. Pure.
 */
export function withNews(
  page: PageRecord,
  news: News & { readonly hostHints: Json | undefined; readonly listens: boolean },
): PageChange {
  const hints = taken(pageHintsFrom(page.hints), news)
  const heard = { page: hints, host: hostHintsFrom(news.hostHints) }
  const { lastSeen, visits, state } = page
  const waiting = { lastSeen, visits, plannedGap: state?.numbers[2] ?? 0, now: news.now }
  const found = news.listens ? newsIn(heard, waiting) : null
  const due = found === null ? null : dueAtOnce(page, { hint: found, now: news.now })
  if (due === null) return { hints: pageHintsJson(hints) }
  return { hints: pageHintsJson({ ...hints, early: true }), due }
}

/** A change that we have not seen yet, by a list that is not ahead of the clock. */
function isNews({ claim, kind }: WeighedHint, { lastSeen, now }: Waiting): boolean {
  if (claim.says !== 'changed-at' || kind === 'last-modified' || lastSeen === null) return false
  return claim.at > lastSeen && claim.at <= now + 2
}

/** How early a visit now would be, as a share of the gap that the policy asked for. */
function earliness({ plannedGap, lastSeen, now }: Waiting): number {
  if (!(plannedGap > 0) || lastSeen === null) return 0
  return plannedGap === Infinity ? 1 : Math.min(1, Math.max(0, 1 - (now - lastSeen) / plannedGap))
}

function dueAtOnce(
  { due }: PageRecord,
  { hint, now }: { readonly hint: WeighedHint; readonly now: UnixSeconds },
): Due | null {
  // A page that is visited no more, by its policy or a person's wish, stays so.
  if (due.at === 'never' || due.at <= now) return null
  const { right, foretold } = hint.tally
  const record = `right ${Math.round(right)} of ${Math.round(foretold)} times here`
  return { at: now, reason: `its ${hint.kind} says that it changed (${record})` }
}
