import { OptionError } from '../model/errors.js'
import type { ChosenRequest, LeaseRequest, LeaseTerms } from '../model/lease.js'
import { type NewPage, type PageChange, pageUrl } from '../model/page.js'
import type { VisitReport } from '../model/visit-record.js'

/** New pages with their addresses in the form they are kept under. */
export function checkedPages(pages: readonly NewPage[]): readonly NewPage[] {
  return pages.map((page) => {
    checkChange(page)
    if (!Number.isFinite(page.addedAt ?? 0))
      throw new OptionError('bad-page', `a page is added at a finite time; got ${page.addedAt}`)
    return { ...page, url: pageUrl(page.url) }
  })
}

export function checkChange({ importance, due }: Pick<PageChange, 'importance' | 'due'>): void {
  checkImportance(importance)
  if (due !== undefined) checkDue(due.at)
}

export function checkTerms({ now, ttl }: LeaseTerms): void {
  if (Number.isFinite(now) && now + ttl > now) return
  throw new OptionError(
    'bad-lease',
    `a lease needs a finite time and a ttl that ends after it; got now ${now}, ttl ${ttl}`,
  )
}

export function checkLeaseRequest(request: LeaseRequest): void {
  checkTerms(request)
  const { limit, perHost, ahead = perHost } = request
  const whole = [limit, perHost, ahead].every(Number.isInteger)
  if (whole && limit >= 0 && perHost >= 1 && ahead >= perHost) return
  throw new OptionError(
    'bad-lease',
    `limit is a whole number, perHost one of at least 1, ahead one of at least perHost; got ${limit}, ${perHost} and ${ahead}`,
  )
}

export function checkChosenRequest(request: ChosenRequest): void {
  const { pages, perHost } = request
  if (perHost === undefined) checkTerms(request)
  else checkLeaseRequest({ ...request, collection: '', perHost, limit: pages.length })
}

export function checkReport({ visit, due }: VisitReport): void {
  if (!Number.isFinite(visit.at))
    throw new OptionError('bad-visit', `a visit needs a finite time; got ${visit.at}`)
  checkDue(due.at)
}

function checkDue(at: number | 'never'): void {
  if (at === 'never' || Number.isFinite(at)) return
  throw new OptionError('bad-due', `a due time is a finite time or 'never'; got ${at}`)
}

function checkImportance(importance: number | undefined): void {
  if (importance === undefined || (importance >= 0 && importance < Infinity)) return
  throw new OptionError('bad-importance', `importance is a number from 0 up; got ${importance}`)
}

/** Where a stretch of a list ended: the value it is sorted by, and the page's place in the store. */
export interface ListCursor {
  readonly value: number | string | null
  readonly id: number
}

export function writeCursor({ value, id }: ListCursor): string {
  return Buffer.from(JSON.stringify([value, id])).toString('base64url')
}

export function readCursor(text: string): ListCursor {
  try {
    const [value, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [
      ListCursor['value'],
      number,
    ]
    if (Number.isInteger(id) && isValue(value)) return { value, id }
  } catch {
    // Not ours: refused below like any other.
  }
  throw new OptionError(
    'bad-cursor',
    `${text.slice(0, 40)} is not where a list ended; start from its beginning`,
  )
}

function isValue(value: unknown): value is ListCursor['value'] {
  return value === null || typeof value === 'number' || typeof value === 'string'
}
