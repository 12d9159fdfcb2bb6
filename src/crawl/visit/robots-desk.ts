import { longestRobots, productToken } from '../../formats/index.js'
import type { FetchAnswer, FetchFault, FetchOptions } from '../../model/index.js'
import { productName } from '../fetch/user-agent.js'
import type { Admission, EnterTerms } from '../gate/admission.js'
import { isCurrent, type RobotsRecord, robotsRecord } from '../robots/robots-record.js'
import { type Site, siteOf } from '../url/site.js'
import { bookedPermit } from './booking.js'
import { Course } from './course.js'
import type { HostTurns } from './host-turns.js'
import { notAdmitted, type VisitEnd } from './polite-visit.js'
import { type PoliteVisitorOptions, patient, signalOf, type VisitOptions } from './visit-options.js'

/** How a robots.txt is asked for. */
export interface RobotsTerms {
  readonly options: VisitOptions
  /** How its host is waited for. */
  readonly enter: (host: string, terms: EnterTerms) => Promise<Admission>
  /** Told the hosts that its redirects lead to. */
  readonly met: string[]
}

/** RFC 9309, 2.3.1.2 and 2.5: five redirects, to other hosts too; of a longer file the beginning. */
const limits: FetchOptions = { maxBytes: longestRobots + 1, whenLarger: 'cut', maxRedirects: 5 }

/** Ours to allow, not the host's to forbid. */
const ours: ReadonlySet<FetchFault> = new Set(['address-refused', 'no-contact'])

/** Knows the robots.txt of each origin, and asks for it as politely as for a page. */
export class RobotsDesk {
  readonly #with: PoliteVisitorOptions & { readonly turns: HostTurns }
  readonly #agent = productToken(productName)

  constructor(parts: PoliteVisitorOptions & { readonly turns: HostTurns }) {
    this.#with = parts
  }

  /** The robots.txt at hand, if it still counts. */
  current({ host, origin }: Site): RobotsRecord | undefined {
    const { gate, clock } = this.#with
    const known = gate.state(host).robots[origin]
    return isCurrent(known, { now: clock.now(), agent: this.#agent }) ? known : undefined
  }

  /** A new one; or the one that somebody else has asked for while we waited for the host. */
  async fresh(site: Site, terms: RobotsTerms): Promise<RobotsRecord | VisitEnd> {
    const needless = () => this.current(site) !== undefined
    const entered = await terms.enter(site.host, { ...patient(terms.options), needless })
    if (!entered.admitted) return this.current(site) ?? notAdmitted(entered)
    const { permit } = entered
    await bookedPermit(permit, { ...this.#with, book: terms.options.book })
    const course = new Course(permit, terms.met)
    const answer = await this.#fetch(site.origin, course, terms).catch((error: unknown) => {
      course.calledOff(error)
      throw error
    })
    return course.end ?? this.#told(answer, { site, course })
  }

  #fetch(origin: string, course: Course, { options }: RobotsTerms): Promise<FetchAnswer> {
    const mayFollow = (url: string) => this.#mayFollow(url, { course, options })
    const told = { ...signalOf(options), ...limits, mayFollow }
    return this.#with.fetcher.fetch({ url: `${origin}/robots.txt` }, told)
  }

  /** A redirect of robots.txt is a request like any other, but that no robots.txt is asked about it. */
  async #mayFollow(
    url: string,
    { course, options }: { readonly course: Course; readonly options: VisitOptions },
  ): Promise<boolean> {
    const { turns } = this.#with
    const { host } = siteOf(url)!
    course.ledTo(host)
    // The host whose robots.txt it is has to be asked for the page yet.
    const refused = await turns.hold(host, { options, beside: true })
    if (refused !== null) {
      course.end = notAdmitted(refused)
      return false
    }
    const entered = await turns.enter(host, {
      ...signalOf(options),
      patience: turns.patience(host),
    })
    if (!entered.admitted) {
      course.end = notAdmitted(entered)
      return false
    }
    await bookedPermit(entered.permit, { ...this.#with, book: options.book })
    course.goesOn(entered.permit)
    return true
  }

  /** Remembered before the host is left: it may ask for a longer delay, and others wait to read it. */
  #told(
    answer: FetchAnswer,
    { site, course }: { readonly site: Site; readonly course: Course },
  ): RobotsRecord | VisitEnd {
    const { gate, clock } = this.#with
    const fault = answer.kind === 'failed' ? answer.fault : null
    // Nothing is to be remembered of what the host did not do.
    if (fault === 'aborted' || (fault !== null && ours.has(fault))) {
      course.ended(answer)
      return fault === 'aborted'
        ? { kind: 'wait', until: clock.now() }
        : { kind: 'answered', answer }
    }
    const state = gate.state(site.host)
    const before = state.robots[site.origin]
    const record = robotsRecord(answer, { agent: this.#agent, before })
    gate.remember({ ...state, robots: { ...state.robots, [site.origin]: record } })
    course.ended(answer)
    return fault !== null && record.verdict === 'disallow-all'
      ? { kind: 'answered', answer }
      : record
  }
}
