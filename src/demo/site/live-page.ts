import { gzipSync } from 'node:zlib'
import type { UnixSeconds } from '../../model/index.js'
import { ChangeLog } from '../../simulate/index.js'
import { hashOf } from '../chance.js'
import type { PagePlan } from '../plan/catalogue.js'
import { articleOf } from '../text/article.js'
import { htmlOf, type Link } from '../text/html.js'

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
  #rendering: Rendering | undefined

  constructor({
    plan,
    seed,
    origin,
    changesKept,
  }: {
    readonly plan: PagePlan
    readonly seed: number
    readonly origin: UnixSeconds
    readonly changesKept?: number
  }) {
    this.plan = plan
    this.goneAt = plan.access.kind === 'gone' ? plan.access.goneAt : Infinity
    this.#seed = seed
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
      const plain = Buffer.from(htmlOf(this.plan, { article, links: linksOf() }))
      this.#rendering = new Rendering(version, plain)
    }
    return this.#rendering
  }
}
