import type { Answers } from '../../../src/server/answers.js'
import type { HintsAnswer } from '../../../src/server/collection/hints.js'
import type { WhyAnswer } from '../../../src/server/pages/estimates.js'
import type { PageAnswer } from '../../../src/server/pages/page-schema.js'
import type { HistoryAnswer } from '../../../src/server/pages/visits.js'
import { request } from '../../api/request.js'

/** What is known of one page. */
export interface PageData {
  readonly page: PageAnswer
  readonly why: WhyAnswer | null
  readonly visits: Answers['GET pages/:id/visits']['visits']
  readonly history: HistoryAnswer
  readonly hints: HintsAnswer | null
}

/** The page itself, and the reason of its next visit. */
export async function readPage(id: string, signal: AbortSignal): Promise<PageData> {
  const params = { id }
  const [page, why] = await Promise.all([
    request('GET pages/:id', { params, signal }),
    request('GET pages/:id/why', { params, signal }).catch(() => null),
  ])
  return { page, why, visits: [], history: { start: null, observations: [] }, hints: null }
}

/** With its visits, as much as plots show. */
export async function readPast(id: string, signal: AbortSignal): Promise<PageData> {
  const params = { id }
  const [known, { visits }, history, hints] = await Promise.all([
    readPage(id, signal),
    request('GET pages/:id/visits', { params, query: { newest: 2000 }, signal }),
    request('GET pages/:id/history', { params, signal }),
    request('GET pages/:id/hints', { params, signal }).catch(() => null),
  ])
  return { ...known, visits, history, hints }
}
