import { hostOf } from '../../../crawl/index.js'
import { storeLeave } from '../../../engine/index.js'
import {
  EnvironmentError,
  type FetchAnswer,
  type FetchRequest,
  humanDuration,
  type PoliteVisit,
  type Store,
  type UnixSeconds,
} from '../../../model/index.js'
import type { Configured } from '../configured.js'
import type { Crawler } from '../open-crawler.js'
import { spentText } from '../spent-budget.js'

/** What lists are fetched with. */
export interface ListFetching {
  readonly configured: Configured
  readonly store: Store
  readonly crawler: Crawler
}

/** Fetches a list of pages as politely as a page, waiting for its host where that is bearable. */
export async function fetchList(
  url: string,
  parts: ListFetching,
): Promise<FetchAnswer & { kind: 'content' }> {
  const visit = await patientVisit({ url, unconditional: true }, parts)
  if (visit.kind === 'disallowed')
    throw new EnvironmentError(
      'list-refused',
      `robots.txt does not let ${url} be fetched; save it to a file and watch that`,
    )
  if (visit.answer.kind === 'content') return visit.answer
  throw new EnvironmentError('list-unreachable', `cannot fetch ${url}: ${why(visit.answer)}`)
}

async function patientVisit(
  request: FetchRequest,
  { configured, store, crawler }: ListFetching,
): Promise<Exclude<PoliteVisit, { kind: 'wait' | 'put-off' | 'spent' }>> {
  const { clock } = configured.crawler
  const patience = configured.config.longestDelay
  const { worker } = configured.crawler
  const leave = storeLeave({ store, clock }, { worker, ttl: configured.config.leaseTime })
  for (;;) {
    const visit = await crawler.visitor.visit(request, leave)
    await crawler.saveToday()
    if (visit.kind === 'answered' || visit.kind === 'disallowed') return visit
    if (visit.kind === 'spent') throw noRequestLeft(configured, visit.until)
    const wait = visit.until - clock.now()
    if (wait > patience)
      throw new EnvironmentError(
        'host-rests',
        `${visit.kind === 'wait' ? hostOf(request.url) : visit.host} is not to be asked for ${humanDuration(wait)}; try again then`,
      )
    await clock.sleep(Math.max(0.01, wait))
  }
}

function noRequestLeft({ config, crawler }: Configured, opens: UnixSeconds): EnvironmentError {
  const spent = spentText({ ...config, opens, now: crawler.clock.now() })
  return new EnvironmentError('budget-spent', `${spent}; try again then, or raise it`)
}

function why(answer: FetchAnswer): string {
  if (answer.kind === 'failed') return `${answer.message}; see that the address is right`
  return `it answered with status ${answer.status}; see that the address is right`
}
