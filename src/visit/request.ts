import { checkPageHeaders } from '../fetch/page-headers.js'
import type {
  FetchAnswer,
  FetchRequest,
  HostAccess,
  PoliteVisit,
  Visitor,
} from '../model/fetcher.js'
import type { PageRecord, Validators } from '../model/page.js'
import type { Reader } from '../model/reader.js'
import type { RandomSource } from '../model/units.js'
import type { VisitReport } from '../model/visit-record.js'
import { comparesPixels } from './pixel-comparison.js'

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

/** Where a page is asked for, at its own address or at that to which it has moved, and what is sent there that is its own. */
export function askedAddress(
  page: PageRecord,
): Pick<FetchRequest, 'url' | 'home' | 'headers' | 'proxy'> {
  const { url: home, movedTo, settings } = page
  const { headers, proxy } = settings
  const url = movedTo === null || asksHome(page) ? home : movedTo
  if (headers === undefined) return proxy === undefined ? { url } : { url, proxy }
  const own = proxy === undefined ? { headers } : { headers, proxy }
  // A page that has moved keeps its headers to its own site: the fetcher goes by `home`.
  return url === home ? { url, ...own } : { url, home, ...own }
}

/**
 * Chance that a page is asked for its content though it could be asked whether
 * it changed, to catch a 304 that lies: `usual`, and more while all that the
 * server goes by is a date that was never seen to move with the content.
 * Such a page seems not to change, so it is rarely visited: with the usual
 * share alone its copy would be stale for months.
 */
export function unconditionalShareOf(
  { changes, visits, validators }: Pick<PageRecord, 'changes' | 'visits' | 'validators'>,
  usual: number,
): number {
  if (usual === 0 || changes > 0 || validators.etag !== undefined) return usual
  return Math.max(usual, 1 / Math.max(1, visits))
}

interface RequestParts {
  readonly reader: Reader
  readonly random: RandomSource
  /** What to ask a page's server with, instead of what it sent; only where something is kept. */
  readonly validatorsFor?: (page: PageRecord) => Validators
}

/** What a page's server is asked: whether it changed, or now and then for all of it, by the share `unconditionalShare`. */
export function requestFor(
  page: PageRecord,
  { reader, random, validatorsFor }: RequestParts,
  unconditionalShare: number,
): FetchRequest {
  const unconditional =
    page.fingerprint === null ||
    // What the other address sent is nothing to this one.
    asksHome(page) ||
    reader.isCurrent?.(page) === false ||
    random.uniform() < unconditionalShareOf(page, unconditionalShare)
  const validators = validatorsFor?.(page) ?? page.validators
  const asked = askedAddress(page)
  const { headers, proxy } = asked
  // Most pages have none of it, and every visit comes through here: copying takes several times as long.
  if (headers === undefined && proxy === undefined && page.settings.browser !== true)
    return { url: asked.url, validators, unconditional }
  if (headers !== undefined) checkPageHeaders(headers)
  const request = { ...asked, validators, unconditional }
  if (page.settings.browser !== true) return request
  const { steps } = page.settings
  const wantsPicture = page.settings.screenshot === true || comparesPixels(page)
  return {
    ...request,
    rendered: true,
    ...(steps === undefined ? {} : { steps }),
    ...(wantsPicture ? { screenshot: true } : {}),
  }
}

/** One polite request outside a loop: a list of pages, a repeat of a visit, a page that a person wants to see. */
export async function visitOnce(
  visitor: Visitor,
  request: FetchRequest,
  { hostAccess, home }: { readonly hostAccess: HostAccess; readonly home?: string },
): Promise<PoliteVisit> {
  const begun = await visitor.begin(request, hostAccess, home)
  return begun.kind === 'admitted' ? begun.fetch() : begun
}
