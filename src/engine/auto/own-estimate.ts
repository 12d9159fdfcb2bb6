import { estimateIn, evidenceOf } from '../../estimate/index.js'
import type { Estimate, History, PageRecord, Verdict } from '../../model/index.js'
import type { AutoMinds } from './auto-minds.js'

/**
 * How often a page changes by the numbers in its row; null where another
 * policy follows it, or it was not compared yet. They know all that lists told,
 * the dates of changes among it; the log of visits only until when they told
 * of none, and, of visits from before that was kept, not even that.
 */
export function ownEstimate(
  page: PageRecord,
  {
    minds,
    history,
    level,
  }: { readonly minds: AutoMinds; readonly history: History | null; readonly level: number },
): Estimate | null {
  if (history === null || history.observations.length === 0) return null
  if (minds.memoryOf(page) === null) return null
  const estimate = estimateIn(minds.beliefOf(page), { evidence: evidenceOf(history), level })
  return { ...estimate, verdict: verdictOn(estimate.verdict, { page, minds }) }
}

/** Changed at every visit is no riddle where a list tells when, and when not; older logs do not say so. */
function verdictOn(
  verdict: Verdict,
  { page, minds }: { readonly page: PageRecord; readonly minds: AutoMinds },
): Verdict {
  if (verdict !== 'always-changed') return verdict
  const { told } = minds.hintsOf(page)
  const listed = told.some(
    ({ kind, believed }) => believed && (kind === 'sitemap' || kind === 'feed'),
  )
  return listed ? 'ok' : verdict
}
