import type {
  Admitted,
  Answered,
  FetchAnswer,
  FetchRequest,
  PoliteVisit,
  Visitor,
} from '../../model/fetcher.js'
import { type Clock, DAY, type UnixSeconds } from '../../model/units.js'
import { type Answer, answerOf } from './answer.js'
import { closedFolder } from './catalogue.js'
import type { LiveSite } from './live-site.js'
import type { RequestTally } from './site-server.js'

/** The headers of a conditional request. */
interface Conditions {
  'if-none-match'?: string
  'if-modified-since'?: string
}

/**
 * Asks the sites in this process, by a clock of the caller's: the answers that
 * their servers would give, without a network, for a past that is made before
 * anybody waits. Content counts as sent unpacked; robots.txt is kept to without
 * being asked for.
 */
export class DirectVisitor implements Visitor {
  readonly #sites: ReadonlyMap<string, LiveSite>
  readonly #clock: Clock
  readonly #tally: RequestTally

  constructor(parts: {
    readonly sites: readonly LiveSite[]
    readonly clock: Clock
    readonly tally: RequestTally
  }) {
    this.#sites = new Map(parts.sites.map((site) => [site.base, site]))
    this.#clock = parts.clock
    this.#tally = parts.tally
  }

  begin(request: FetchRequest): Admitted | PoliteVisit {
    const at = this.#clock.now()
    const { pathname } = new URL(request.url)
    if (pathname.startsWith(closedFolder)) return { kind: 'disallowed', until: at + DAY, hosts: [] }
    const fetch = async (): Promise<PoliteVisit> => ({
      kind: 'answered',
      answer: this.#answer(request, at),
      hosts: [],
    })
    return { kind: 'admitted', fetch }
  }

  /** Redirects lead to a page of the same site, and no further. */
  #answer(request: FetchRequest, at: UnixSeconds): FetchAnswer {
    const conditions = conditionsOf(request)
    const first = this.#ask(request.url, { conditions, at })
    if (first === 'hang') return noAnswer(at)
    const { location } = first.headers
    if (location === undefined) return answered(first, { url: request.url, at })
    const next = this.#ask(location, { conditions, at })
    if (next === 'hang') return noAnswer(at)
    const forGood = first.status === 301 || first.status === 308
    return answered(next, { url: location, at, ...(forGood ? { movedTo: location } : {}) })
  }

  #ask(
    url: string,
    { conditions, at }: { readonly conditions: Conditions; readonly at: UnixSeconds },
  ): Answer {
    const { origin, pathname: path } = new URL(url)
    const site = this.#sites.get(origin)!
    const page = site.pageAt(path)
    if (page !== undefined) page.requests++
    const answer = answerOf(site, { path, headers: { ...conditions }, at })
    this.#tally.count({ status: answer === 'hang' ? null : answer.status, page })
    return answer
  }
}

function conditionsOf({ validators, unconditional }: FetchRequest): Conditions {
  if (unconditional === true || validators === undefined) return {}
  const { etag, lastModified } = validators
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
  }
}

function noAnswer(at: UnixSeconds): FetchAnswer {
  const message = 'the server did not answer in time'
  return { kind: 'failed', fault: 'timeout', message, at, bytesReceived: 0 }
}

/** By the statuses that the sites have. */
function answered(
  { status, headers, body }: Exclude<Answer, 'hang'>,
  about: Pick<Answered, 'url' | 'at' | 'movedTo'>,
): FetchAnswer {
  const bytes = status === 200 ? (body?.plain ?? new Uint8Array()) : null
  const common = { ...about, status, headers, bytesReceived: bytes?.length ?? 0 }
  if (bytes !== null) return { ...common, kind: 'content', body: bytes }
  if (status === 304) return { ...common, kind: 'not-modified' }
  if (status === 404 || status === 410) return { ...common, kind: 'gone' }
  if (status < 500) return { ...common, kind: 'refused' }
  const wait = headers['retry-after']
  return { ...common, kind: 'later', retryAfter: wait === undefined ? null : Number(wait) }
}
