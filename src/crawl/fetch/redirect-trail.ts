import { FetchFailure } from './fetch-failure.js'

/** Where the redirects of one visit have led so far. */
export class RedirectTrail {
  readonly #start: URL
  readonly #most: number
  /** Made at the first redirect: most visits see none. */
  #seen: Set<string> | undefined
  #permanent = true
  url: URL

  constructor(start: URL, { most }: { readonly most: number }) {
    this.#start = start
    this.#most = most
    this.url = start
  }

  /** Whether the page's own headers may still be sent: same host, and not less private than before. */
  get atHome(): boolean {
    if (this.url === this.#start) return true
    const upgraded = this.#start.protocol === 'http:' && this.url.protocol === 'https:'
    if (this.url.origin === this.#start.origin) return true
    return upgraded && this.url.hostname === this.#start.hostname && this.url.port === ''
  }

  /** Where the page has moved for good, if every redirect said so. */
  get movedTo(): string | undefined {
    return this.#permanent && this.#seen !== undefined ? withoutFragment(this.url) : undefined
  }

  /** Takes a redirect; throws where it leads nowhere, in a circle, too far, or out of the web. */
  follow(location: string, kind: 'permanent' | 'temporary'): URL {
    const next = URL.canParse(location, this.url) ? new URL(location, this.url) : undefined
    if (next === undefined || !/^https?:$/.test(next.protocol))
      throw new FetchFailure('bad-answer', 'the server redirects to what is no web address')
    next.username = ''
    next.password = ''
    const key = withoutFragment(next)
    const seen = this.#seen ?? new Set([withoutFragment(this.#start)])
    if (seen.has(key)) throw new FetchFailure('redirect-loop', `redirected to ${key} again`)
    if (seen.size > this.#most)
      throw new FetchFailure('too-many-redirects', `more than ${this.#most} redirects`)
    this.#seen = seen.add(key)
    this.#permanent &&= kind === 'permanent'
    this.url = next
    return next
  }
}

function withoutFragment(url: URL): string {
  return url.href.replace(/#.*$/, '')
}
