import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { EnvironmentError } from '../../model/errors.js'
import type { Clock, Seconds } from '../../model/units.js'
import { type Answer, answerOf, httpDate } from './answer.js'
import { shareOf } from './catalogue.js'
import type { LivePage, LiveSite } from './live-site.js'

/** What reached the demo's servers, counted. */
export interface RequestCounts {
  readonly total: number
  readonly byStatus: Readonly<Record<string, number>>
  /** Requests left without an answer. */
  readonly unanswered: number
  /** Requests for pages that robots.txt closes: a polite visitor makes none. */
  readonly disallowed: number
}

/** Counts requests at the moment of their answer. */
export class RequestTally {
  #total = 0
  #unanswered = 0
  #disallowed = 0
  readonly #byStatus = new Map<number, number>()

  /** The status is null where there was no answer. */
  count({ status, page }: { status: number | null; page: LivePage | undefined }): void {
    this.#total++
    if (page?.plan.access.kind === 'disallowed') this.#disallowed++
    if (status === null) this.#unanswered++
    else this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1)
  }

  counts(): RequestCounts {
    return {
      total: this.#total,
      byStatus: Object.fromEntries(this.#byStatus),
      unanswered: this.#unanswered,
      disallowed: this.#disallowed,
    }
  }
}

/** In real seconds: people and timeouts wait in real time, however fast the demo runs. */
export interface Delays {
  /** How long a slow page takes, give or take half of it; 0.6 by default. */
  readonly slow?: Seconds
  /** How long a page that does not answer holds the line before it hangs up; 5 by default. */
  readonly hang?: Seconds
}

interface ServeOptions {
  readonly clock: Clock
  /** 0 for any that is free. */
  readonly port: number
  /** Whether its address has its name, below localhost. */
  readonly named: boolean
  readonly delays: Required<Delays>
  readonly tally: RequestTally
}

/** One site on a port of its own of the loopback address; it listens nowhere else. */
export class SiteServer {
  readonly #site: LiveSite
  readonly #options: ServeOptions
  readonly #server: Server
  readonly #closing = new AbortController()

  constructor(site: LiveSite, options: ServeOptions) {
    this.#site = site
    this.#options = options
    this.#server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
      this.#serve(request, response).catch(() => response.destroy())
    })
  }

  /** Resolves once it listens; the site then knows its address. */
  async open(): Promise<void> {
    const { port, named } = this.#options
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (error) => reject(cannotListen(port, error)))
      this.#server.listen(port, '127.0.0.1', resolve)
    })
    const host = named ? `${this.#site.plan.name}.localhost` : '127.0.0.1'
    this.#site.base = `http://${host}:${(this.#server.address() as AddressInfo).port}`
  }

  /** Ends every connection at once, also those in the middle of an answer. */
  async close(): Promise<void> {
    this.#closing.abort()
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock, delays, tally } = this.#options
    const path = pathOf(request.url ?? '/')
    const page = this.#site.pageAt(path)
    if (page !== undefined) page.requests++
    if (page?.plan.access.kind === 'slow') await this.#pause(this.#slowness(page))
    const at = clock.now()
    const { method = 'GET', headers } = request
    const answer = isRead(method) ? answerOf(this.#site, { path, headers, at }) : notAllowed
    tally.count({ status: answer === 'hang' ? null : answer.status, page })
    if (answer === 'hang') {
      await this.#pause(delays.hang)
      response.destroy()
    } else send({ request, response, answer, date: httpDate(at) })
  }

  #slowness(page: LivePage): Seconds {
    const { slow } = this.#options.delays
    return slow * (0.5 + shareOf(this.#site.seed, page.plan.number, page.requests, 11))
  }

  /** A pause ends early, by an error that ends the request, when the site closes. */
  #pause(duration: Seconds): Promise<void> {
    return wait(duration * 1000, undefined, { signal: this.#closing.signal })
  }
}

const notAllowed: Answer = { status: 405, headers: { allow: 'GET, HEAD' }, body: null }

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Without query and fragment; an address that is none is no page. */
function pathOf(target: string): string {
  try {
    return new URL(target, 'http://site').pathname
  } catch {
    return target
  }
}

function send({
  request,
  response,
  answer: { status, headers, body },
  date,
}: {
  request: IncomingMessage
  response: ServerResponse
  answer: Exclude<Answer, 'hang'>
  date: string
}): void {
  response.sendDate = false
  const all: OutgoingHttpHeaders = { date, ...headers }
  if (body === null) {
    if (status !== 304) all['content-length'] = 0
    response.writeHead(status, all).end()
    return
  }
  const zipped = acceptsGzip(request.headers['accept-encoding'])
  const bytes = zipped ? body.gzip : body.plain
  if (zipped) all['content-encoding'] = 'gzip'
  all['content-length'] = bytes.length
  response.writeHead(status, all)
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

/** Whether gzip is named and not refused by q=0. */
function acceptsGzip(accepted: string | string[] | undefined): boolean {
  const coding = /(?:^|,)\s*(?:x-)?gzip\s*(?:;\s*q=([\d.]+))?/i.exec(String(accepted ?? ''))
  return coding !== null && Number(coding[1] ?? 1) > 0
}

function cannotListen(port: number, cause: Error): EnvironmentError {
  return new EnvironmentError(
    'cannot-listen',
    `the demo cannot listen on port ${port} of 127.0.0.1 (${cause.message}); choose another port, or 0 for any`,
    { cause },
  )
}
