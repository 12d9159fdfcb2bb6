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
import { hintsView } from './heard-hints.js'
import { noTally } from './hint-tally.js'
import { hostHintsFrom, pageHintsFrom, pageHintsJson } from './kept-hints.js'

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

/**
 * What a list's news change of a page: its hints, and, where its policy listens
 * and the hint is believed, when it is due. Pure.
 */
export function withNews(
  page: PageRecord,
  news: News & { readonly hostHints: Json | undefined; readonly listens: boolean },
): PageChange {
  const hints = taken(pageHintsFrom(page.hints), news)
  const host = hostHintsFrom(news.hostHints)
  const { told, allowance } = hintsView({ page: hints, host }, { visits: page.visits + 1 })
  const changed = told.find((each) => each.believed && isNews(each, { page, now: news.now }))
  const due =
    news.listens && changed !== undefined && costOf(page, news.now) <= allowance
      ? dueAtOnce(page, { hint: changed, now: news.now })
      : null
  if (due === null) return { hints: pageHintsJson(hints) }
  return { hints: pageHintsJson({ ...hints, early: true }), due }
}

/** A change that we have not seen yet, by a list that is not ahead of the clock. */
function isNews(
  { claim, kind }: WeighedHint,
  { page, now }: { readonly page: PageRecord; readonly now: UnixSeconds },
): boolean {
  if (claim.says !== 'changed-at' || kind === 'last-modified' || page.lastSeen === null)
    return false
  return claim.at > page.lastSeen && claim.at <= now + 2
}

/** How early a visit now would be, as a share of the gap that the policy asked for. */
function costOf({ state, lastSeen }: PageRecord, now: UnixSeconds): number {
  const planned = state?.numbers[2] ?? 0
  if (!(planned > 0) || lastSeen === null) return 0
  return planned === Infinity ? 1 : Math.min(1, Math.max(0, 1 - (now - lastSeen) / planned))
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
