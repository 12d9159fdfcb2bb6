import { estimateIn, evidenceOf } from '../../estimate/index.js'
import type { Estimate, History, PageRecord, Verdict } from '../../model/index.js'
import type { AutoMinds } from './auto-minds.js'

/**
 * How often a page changes by the numbers in its row; null where another
 * policy follows it, or it was not compared yet. They know what lists told
 * between visits. The log of visits does not: a page that is visited because
 * its list says so is found changed at every visit, and by the log alone it
 * would seem to change several times as often as it does.
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

/** Changed at every visit is no riddle where a list tells when, and when not. */
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
