import { type Site, siteOf } from '../url/site.js'
import { FetchFailure } from './fetch-failure.js'

/** Where the redirects of one visit have led so far. */
export class RedirectTrail {
  readonly #start: Site
  readonly #most: number
  /** Made at the first redirect: most visits see none. */
  #seen: Set<string> | undefined
  #permanent = true
  /** Where it leads now. */
  site: Site

  constructor(start: Site, { most }: { readonly most: number }) {
    this.#start = start
    this.#most = most
    this.site = start
  }

  /** Whether the page's own headers may still be sent: same host, and not less private than before. */
  get atHome(): boolean {
    if (this.site.origin === this.#start.origin) return true
    const [from, to] = [new URL(this.#start.href), new URL(this.site.href)]
    const upgraded = from.protocol === 'http:' && to.protocol === 'https:'
    return upgraded && to.hostname === from.hostname && to.port === ''
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
