import type { Attributes } from '../../formats/index.js'
import { type NormalUrlOptions, normalUrl } from '../url/normal-url.js'

export interface PageLink {
  readonly url: string
  /** The page does not vouch for it. */
  readonly nofollow: boolean
}

/** More links than that are no page's, and a trap's. */
const most = 5000

/** Gathers the links of a page, each address once, in order. */
export class PageLinks {
  readonly #seen = new Set<string>()
  readonly #links = new Map<string, PageLink>()
  readonly #options: Omit<NormalUrlOptions, 'base'>
  #base: string
  #based = false

  constructor({ url, ...options }: { readonly url: string } & Omit<NormalUrlOptions, 'base'>) {
    this.#base = url
    this.#options = options
  }

  /** The first `<base href>` counts, for the links after it. */
  rebase(href: string): void {
    if (this.#based || !URL.canParse(href, this.#base)) return
    this.#based = true
    this.#base = new URL(href, this.#base).href
  }

  /** An address as it counts in a comparison; as written where it is none of a page. */
  resolved(href: string): string {
    const url = normalUrl(href, { ...this.#options, base: this.#base })
    return url ?? href.trim().replace(/\s/g, '%20')
  }

  add({ href, rel = '' }: Attributes): void {
    if (href === undefined || this.#seen.size >= 4 * most || this.#links.size >= most) return
    const nofollow = /\bnofollow\b/i.test(rel)
    const key = `${nofollow} ${href}`
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    const url = normalUrl(href, { ...this.#options, base: this.#base })
    if (url === undefined) return
    const before = this.#links.get(url)
    // One plain link is enough to follow it.
    this.#links.set(url, { url, nofollow: nofollow && (before?.nofollow ?? true) })
  }

  list(): readonly PageLink[] {
    return [...this.#links.values()]
  }
}
