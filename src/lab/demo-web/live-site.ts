import { gzipSync } from 'node:zlib'
import type { Declared } from '../../model/hint.js'
import { DAY, type Seconds, type UnixSeconds } from '../../model/units.js'
import { metaTag, tagContent } from '../../publish/tag.js'
import { ChangeLog } from '../process/change-log.js'
import { hashOf, type PagePlan } from './catalogue.js'
import { articleOf, htmlOf, type Link } from './page-text.js'
import type { SitePlan } from './site-plans.js'

/** One rendering, in both codings; packed when first asked for so. */
class Rendering {
  readonly version: number
  readonly plain: Buffer
  #gzip: Buffer | undefined

  constructor(version: number, plain: Buffer) {
    this.version = version
    this.plain = plain
  }

  get gzip(): Buffer {
    this.#gzip ??= gzipSync(this.plain)
    return this.#gzip
  }
}

/**
 * A page as time goes by: its plan and its changes. What it says is worked out
 * when asked, and only the newest rendering is kept.
 */
export class LivePage {
  readonly plan: PagePlan
  readonly log: ChangeLog
  readonly goneAt: UnixSeconds
  /** The last change before the demo began: all that a stuck date ever tells. */
  readonly firstDate: UnixSeconds
  /** Requests for this page that reached the server. */
  requests = 0
  readonly #seed: number
  /** The tag in its head; null where it declares nothing. */
  readonly #tag: string | null
  #rendering: Rendering | undefined

  constructor({
    plan,
    seed,
    origin,
    declares = false,
    changesKept,
  }: {
    readonly plan: PagePlan
    readonly seed: number
    readonly origin: UnixSeconds
    /** Whether it declares how often it changes. */
    readonly declares?: boolean
    readonly changesKept?: number
  }) {
    this.plan = plan
    this.goneAt = plan.access.kind === 'gone' ? plan.access.goneAt : Infinity
    this.#seed = seed
    this.#tag = declares ? metaTag(tagContent(declaredBy(plan.law.changePeriodAt(origin)))) : null
    const { process, grain } = plan.law
    this.log = new ChangeLog({
      process,
      grain,
      seed: hashOf(seed, plan.number),
      from: origin,
      ...(changesKept === undefined ? {} : { keep: changesKept }),
    })
    this.firstDate = this.log.lastChangeAt(origin)
  }

  /** A page that is gone changes no more. */
  living(at: UnixSeconds): UnixSeconds {
    return Math.min(at, this.goneAt)
  }

  versionAt(at: UnixSeconds): number {
    return this.log.versionAt(this.living(at))
  }

  lastChangeAt(at: UnixSeconds): UnixSeconds {
    return this.log.lastChangeAt(this.living(at))
  }

  etagOf(version: number): string {
    return `W/"${hashOf(this.#seed, this.plan.number, version, 8).toString(36)}-${version}"`
  }

  render(version: number, linksOf: () => readonly Link[]): Rendering {
    if (this.#rendering?.version !== version) {
      const article = articleOf(this.plan, { seed: this.#seed, version })
      const plain = Buffer.from(htmlOf(this.plan, { article, links: linksOf(), tag: this.#tag }))
      this.#rendering = new Rendering(version, plain)
    }
    return this.#rendering
  }
}

/** What an honest publisher declares: the mean time between changes, and STATIC beyond three months. */
function declaredBy(changePeriod: Seconds): Declared {
  return changePeriod >= 90 * DAY ? { kind: 'static' } : { kind: 'periodic', period: changePeriod }
}

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
