import type { FetchAnswer, PageRecord, VisitReport } from '../model/index.js'

/**
 * Whether a page that has moved is asked for at its own address again: a
 * redirect that was permanent once is doubted when what it led to is gone,
 * refuses, or fails twice in a row. While that lasts, the two addresses take
 * turns: the old one may be the one that is out of order.
 */
export function asksHome({ movedTo, lastVisit, gone, failing }: PageRecord): boolean {
  if (movedTo === null || lastVisit === null) return false
  switch (lastVisit.outcome) {
    case 'gone':
      return gone % 2 === 1
    case 'refused':
      return failing % 2 === 1
    case 'failed':
      return failing > 0 && failing % 2 === 0
    default:
      return false
  }
}

/**
 * The report with the move forgotten, where the page's own address was asked
 * and no longer leads there: it brought content, or led somewhere else.
 */
export function moveKept(
  report: VisitReport,
  { page, answer }: { readonly page: PageRecord; readonly answer: FetchAnswer },
): VisitReport {
  if (report.movedTo !== undefined || answer.kind === 'failed' || !asksHome(page)) return report
  const seen = report.visit.outcome !== 'failed' && answer.kind === 'content'
  const end = answer.url.replace(/#.*$/, '')
  const elsewhere = end !== page.url && end !== page.movedTo
  return seen || elsewhere ? { ...report, movedTo: null } : report
}
