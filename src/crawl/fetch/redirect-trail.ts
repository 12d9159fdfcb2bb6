import { isOwnSite } from '../../model/index.js'
import { type Site, siteOf } from '../url/site.js'
import { FetchFailure } from './fetch-failure.js'

/** Where the redirects of one visit have led so far. */
export class RedirectTrail {
  readonly #start: Site
  readonly #home: string
  readonly #most: number
  /** Made at the first redirect: most visits see none. */
  #seen: Set<string> | undefined
  #permanent = true
  /** Where it leads now. */
  site: Site

  /** `home` is the page's own address, where that is not the start. */
  constructor(
    start: Site,
    { most, home = start.href }: { readonly most: number; readonly home?: string | undefined },
  ) {
    this.#start = start
    this.#home = home
    this.#most = most
    this.site = start
  }

  /** Whether the page's own headers may be sent to where it leads now. */
  get atHome(): boolean {
    return isOwnSite({ url: this.site.href, home: this.#home })
  }

  /** Where the page has moved for good, if every redirect said so. */
  get movedTo(): string | undefined {
    return this.#permanent && this.#seen !== undefined ? withoutFragment(this.site) : undefined
  }

  /** Takes a redirect; throws where it leads nowhere, in a circle, too far, or out of the web. */
  follow(location: string, kind: 'permanent' | 'temporary'): Site {
    const next = this.#siteAt(location)
    const key = withoutFragment(next)
    const seen = this.#seen ?? new Set([withoutFragment(this.#start)])
    if (seen.has(key)) throw new FetchFailure('redirect-loop', `redirected to ${key} again`)
    if (seen.size > this.#most)
      throw new FetchFailure('too-many-redirects', `more than ${this.#most} redirects`)
    this.#seen = seen.add(key)
    this.#permanent &&= kind === 'permanent'
    this.site = next
    return next
  }

  #siteAt(location: string): Site {
    const here = this.site.href
    const url = URL.canParse(location, here) ? new URL(location, here) : undefined
    if (url !== undefined) {
      url.username = ''
      url.password = ''
    }
    const site = url && siteOf(url.href)
    if (site === undefined)
      throw new FetchFailure('bad-answer', 'the server redirects to what is no web address')
    return site
  }
}

function withoutFragment({ href }: Site): string {
  return href.replace(/#.*$/, '')
}
