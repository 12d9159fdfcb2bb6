import type { UnixSeconds } from '../../model/index.js'
import type { SitePlan } from '../plan/sites.js'
import type { Link } from '../text/html.js'
import type { LivePage } from './live-page.js'

/** How many other pages a page links to; the front page links to all. */
const neighbours = 6

/** One site with its pages, wherever it is served. */
export class LiveSite {
  readonly plan: SitePlan
  readonly pages: readonly LivePage[]
  readonly seed: number
  /** Scheme and authority, without a slash at the end; known once the site is served. */
  base = ''
  readonly #byPath: ReadonlyMap<string, LivePage>
  readonly #byNumber: ReadonlyMap<number, LivePage>

  constructor({
    plan,
    pages,
    seed,
  }: { readonly plan: SitePlan; readonly pages: readonly LivePage[]; readonly seed: number }) {
    this.plan = plan
    this.pages = pages
    this.seed = seed
    this.#byPath = new Map(pages.map((page) => [page.plan.path, page]))
    this.#byNumber = new Map(pages.map((page) => [page.plan.number, page]))
  }

  pageAt(path: string): LivePage | undefined {
    return this.#byPath.get(path)
  }

  urlOf(page: LivePage): string {
    return this.base + page.plan.path
  }

  /** The page whose content a visitor of this page ends up with. */
  destinationOf(page: LivePage): LivePage {
    const { access } = page.plan
    return access.kind === 'moved' ? this.#byNumber.get(access.target)! : page
  }

  linksOf(page: LivePage): Link[] {
    const { length } = this.pages
    const own = this.pages.indexOf(page)
    const count = Math.min(length - 1, own === 0 ? length : neighbours)
    return Array.from({ length: count }, (_, i) => this.pages[(own + 1 + i) % length]!)
      .filter(({ plan }) => plan.path !== '/')
      .map(({ plan: { path, title } }) => ({ path, title }))
  }

  /** The pages a publisher would list: open to robots, there, and at their own address. */
  listed(at: UnixSeconds): LivePage[] {
    return this.pages.filter(
      ({ goneAt, plan: { access } }) =>
        at < goneAt && !['disallowed', 'forbidden', 'moved'].includes(access.kind),
    )
  }
}
