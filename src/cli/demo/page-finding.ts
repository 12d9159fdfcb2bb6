import type { PageTruth } from '../../demo/index.js'
import { type AutoMinds, ownEstimate } from '../../engine/index.js'
import { evidenceOf, irregularMle, lastModified } from '../../estimate/index.js'
import {
  type Estimate,
  type History,
  historyOf,
  type PageRecord,
  type Store,
  type UnixSeconds,
} from '../../model/index.js'

/** More visits than that would make the view slow and the estimate no better. */
const mostVisits = 2000

/** What is thought of a page, beside what is true of it. */
export interface PageFinding {
  readonly truth: PageTruth
  readonly page: PageRecord
  /** Null before the page was seen. */
  readonly estimate: Estimate | null
  /** Changes it was due to make since `from`, by its law. */
  readonly dueChanges: number
}

/** Reads a page and its visits from the store: what the default thinks of it, or what the visits tell where another policy follows it. */
export async function pageFinding(
  { store, minds }: { readonly store: Store; readonly minds: AutoMinds | undefined },
  { truth, from, now }: { truth: PageTruth; from: UnixSeconds; now: UnixSeconds },
  ref: { readonly collection: string },
): Promise<PageFinding | null> {
  const page = await store.getPage({ ...ref, url: truth.url })
  if (page === null) return null
  const history = historyOf(await store.visitsOf({ id: page.id }, { newest: mostVisits }))
  const own = minds === undefined ? null : ownEstimate(page, { minds, history, level: 0.95 })
  const lived = Math.min(now, truth.goneAt ?? Infinity) - from
  return {
    truth,
    page,
    estimate: own ?? estimateOf(history),
    dueChanges: Math.max(0, lived) / truth.changePeriod,
  }
}

function estimateOf(history: History | null): Estimate | null {
  if (history === null) return null
  return (tellsDates(history) ? lastModified : irregularMle).estimate(history)
}

/** A content age so far below its gap, every time, is that of the answer and not of the content. */
const ofTheAnswer = 0.01

/**
 * Dates are trusted only while every visit told one that can be believed, and
 * not always the time of the visit itself: so a server that lies is found out.
 */
function tellsDates(history: History): boolean {
  const { contentAges, visits } = evidenceOf(history)
  if (contentAges < visits) return false
  const { observations } = history
  return observations.some(({ gap, contentAge = 0 }) => contentAge > ofTheAnswer * gap)
}
