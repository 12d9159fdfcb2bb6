import { DAY, type Seconds } from '../../model/units.js'
import { type Shares, sharesOf } from './budget-controller.js'

/** A page with a longest gap or a policy of its own, and the requests a day that this asks for. */
export interface GuaranteedPage {
  readonly url: string
  readonly requestsPerDay: number
}

/** What was guaranteed to pages of a collection. */
export interface Guarantees {
  /** Pages with a guarantee, and the requests a day that they ask for together. */
  readonly pages: number
  readonly requestsPerDay: number
  /** The few that ask for most, those first. */
  readonly most: readonly GuaranteedPage[]
  /** Pages that follow the default, and those of them without a guarantee. */
  readonly followers: number
  readonly free: number
}

/** Pages named. */
const named = 3

/** Counts guarantees page by page; bounded, whatever the number of pages. */
export class GuaranteeCount {
  readonly #most: GuaranteedPage[] = []
  #pages = 0
  #requests = 0
  #followers = 0
  #free = 0

  /** A page that follows the default, with the longest gap that a person guaranteed it, or null. */
  addFollower(url: string, guaranteed: Seconds | null): void {
    this.#followers++
    if (guaranteed === null) this.#free++
    else this.#guarantee(url, guaranteed)
  }

  /** A page with a policy of its own, and the gap that this asks for; null where it asks for no visit. */
  addOwn(url: string, gap: Seconds | null): void {
    this.#guarantee(url, gap ?? Infinity)
  }

  #guarantee(url: string, gap: Seconds): void {
    const requestsPerDay = DAY / gap
    this.#pages++
    this.#requests += requestsPerDay
    this.#most.push({ url, requestsPerDay })
    this.#most.sort((one, other) => other.requestsPerDay - one.requestsPerDay)
    if (this.#most.length > named) this.#most.pop()
  }

  get promises(): Guarantees {
    return {
      pages: this.#pages,
      requestsPerDay: this.#requests,
      most: [...this.#most],
      followers: this.#followers,
      free: this.#free,
    }
  }
}

/** Of all pages, where each that was counted stands for `scale` of them. */
export function scaledGuarantees(counted: Guarantees, scale: number): Guarantees {
  return {
    pages: Math.round(counted.pages * scale),
    requestsPerDay: counted.requestsPerDay * scale,
    most: counted.most,
    followers: Math.round(counted.followers * scale),
    free: Math.round(counted.free * scale),
  }
}

/** How a budget is shared out where these guarantees are kept. */
export function sharesWith(promises: Guarantees, requestsPerDay: number): Shares {
  const { followers, free, pages } = promises
  const reserved = promises.requestsPerDay / DAY
  return sharesOf(requestsPerDay, { reserved, free, pages: followers, guaranteed: pages })
}

/**
 * Where guarantees ask for more than the budget leaves them: which pages, what
 * they are guaranteed, what the budget is and what will be spent. Null where the
 * budget is kept, or no page follows it.
 */
export function guaranteeWarning(
  promises: Guarantees,
  about: {
    readonly requestsPerDay: number | null
    /** Requests a day that are never exceeded; null where no limit is set. */
    readonly most?: number | null
    /** How an address is written for a person. */
    readonly shown?: (url: string) => string
  },
): string | null {
  const { requestsPerDay, most = null, shown = (url) => url } = about
  const { pages, free, followers } = promises
  if (requestsPerDay === null || pages === 0 || followers === 0) return null
  const { reserved, rest, total } = sharesWith(promises, requestsPerDay)
  if (total <= requestsPerDay * (1 + rounding)) return null
  const list = promises.most.map((page) => `${shown(page.url)} ${short(page.requestsPerDay)}`)
  const more = pages - list.length
  const names = `${list.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const own =
    pages === 1
      ? '1 page with a longest gap or a policy of its own asks'
      : `${pages} pages with longest gaps or policies of their own ask`
  const others =
    free === 0
      ? ''
      : `; the other ${free === 1 ? 'page keeps' : `${free} pages keep`} ${short(rest)}, half of what would be theirs`
  const held =
    most !== null && total > most
      ? `; requests-per-day (${short(most)}) is never exceeded, so some of these visits come late`
      : ''
  return `${own} for ${short(reserved)} requests a day (${names}), the budget is ${short(requestsPerDay)}${others}: about ${short(total)} a day will be spent${held}`
}

const rounding = 1e-6

function short(value: number): string {
  return String(value >= 100 ? Math.round(value) : Number(value.toPrecision(3)))
}
