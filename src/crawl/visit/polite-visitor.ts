import { type FetchAnswer, type FetchRequest, OptionError } from '../../model/index.js'
import type { Permit } from '../gate/admission.js'
import { allowsPath, type RobotsRecord } from '../robots/robots-record.js'
import { type Site, siteOf } from '../url/site.js'
import { bookedPermit } from './booking.js'
import { Course } from './course.js'
import { HostTurns } from './host-turns.js'
import { PageRedirects } from './page-redirects.js'
import { notAdmitted, type PoliteVisit, type VisitEnd } from './polite-visit.js'
import { RobotsDesk } from './robots-desk.js'
import { type PoliteVisitorOptions, patient, type VisitOptions } from './visit-options.js'

/**
 * Visits pages as their hosts ask for it: robots.txt first, then the gate, then
 * the request; and the same again for each host that a redirect leads to.
 */
export class PoliteVisitor {
  readonly #with: PoliteVisitorOptions
  readonly #desk: RobotsDesk
  readonly #redirects: PageRedirects

  constructor(options: PoliteVisitorOptions) {
    const turns = new HostTurns(options)
    this.#with = options
    this.#desk = new RobotsDesk({ ...options, turns })
    this.#redirects = new PageRedirects({ ...options, turns, desk: this.#desk })
  }

  /**
   * Each step goes on at once where there is nothing to wait for: every visit
   * comes through here, and whatever is waited for takes its time.
   */
  visit(request: FetchRequest, options: VisitOptions = {}): Promise<PoliteVisit> {
    const site = siteOf(request.url)
    if (site === undefined)
      return Promise.reject(new OptionError('bad-url', `"${request.url}" is no web address`))
    const asked = { request, options, site, met: undefined }
    const robots = this.#desk.current(site)
    return robots === undefined ? this.#afterRobots(asked) : this.#enter(robots, asked)
  }

  async #afterRobots(asked: Asked): Promise<PoliteVisit> {
    const { gate } = this.#with
    const { site, options } = asked
    const met: string[] = []
    const enter = gate.enter.bind(gate)
    const robots = await this.#desk.fresh(site, { options, enter, met })
    return 'kind' in robots
      ? this.#ended(robots, { ...asked, met })
      : this.#enter(robots, { ...asked, met })
  }

  #enter(robots: RobotsRecord, asked: Asked): Promise<PoliteVisit> {
    const { gate } = this.#with
    const { site, options } = asked
    if (!allowsPath(robots, site.path)) return Promise.resolve(this.#notAllowed(robots, asked))
    const entered = gate.tryEnter(site.host)
    if (entered.admitted) return this.#booked(entered.permit, asked)
    return gate
      .enter(site.host, patient(options))
      .then((later) =>
        later.admitted ? this.#booked(later.permit, asked) : this.#ended(notAdmitted(later), asked),
      )
  }

  /** A robots.txt that cannot be had forbids nothing for good: the page waits until it is asked for again. */
  #notAllowed({ verdict, until }: RobotsRecord, asked: Asked): PoliteVisit {
    const kind = verdict === 'disallow-all' ? 'wait' : 'disallowed'
    return this.#ended({ kind, until }, asked)
  }

  #ended(how: VisitEnd, { site, met = [] }: Asked): PoliteVisit {
    const { gate } = this.#with
    return { ...how, hosts: [site.host, ...met].map((each) => gate.state(each)) }
  }

  #booked(permit: Permit, asked: Asked): Promise<PoliteVisit> {
    const { gate, clock } = this.#with
    const booking = bookedPermit(permit, { gate, clock, book: asked.options.book })
    if (booking === undefined) return this.#ask(permit, asked)
    return booking.then(() => this.#ask(permit, asked))
  }

  /** The request itself, and those that redirects lead to. */
  #ask(permit: Permit, { request, options, met }: Asked): Promise<PoliteVisit> {
    const course = new Course(permit, met)
    const mayFollow = (url: string) => this.#redirects.mayFollow(url, { course, options })
    const { signal } = options
    const told = signal === undefined ? { mayFollow } : { signal, mayFollow }
    const answered = (answer: FetchAnswer): PoliteVisit => {
      course.ended(answer)
      const hosts = course.states(this.#with.gate)
      return course.end === undefined
        ? { kind: 'answered', answer, hosts }
        : { ...course.end, hosts }
    }
    const failed = (error: unknown) => {
      course.calledOff(error)
      return Promise.reject(error)
    }
    try {
      return this.#with.fetcher.fetch(request, told).then(answered, failed)
    } catch (error) {
      return failed(error)
    }
  }
}

interface Asked {
  readonly request: FetchRequest
  readonly options: VisitOptions
  readonly site: Site
  /** Other hosts that the redirects of robots.txt led to. */
  readonly met: string[] | undefined
}
