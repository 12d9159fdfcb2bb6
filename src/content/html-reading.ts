import type { Attributes } from '../formats/markup/html-tag.js'
import { scanHtml } from '../formats/markup/scan-html.js'
import { type NormalUrlOptions, normalUrl } from '../formats/url.js'
import {
  bothDirectives,
  isRobotsName,
  metaDirectives,
  type RobotsDirectives,
} from '../formats/user-agent.js'
import { scanSelected } from './apply-rules.js'
import { linkMark } from './fingerprint.js'

/** What an element does to the text in it: nothing, begin and end a line, hide it, or name the page. */
export type Part = 'inline' | 'block' | 'unseen' | 'title'

/** Elements whose content no reader sees. */
const unseen = 'script style template noscript iframe noembed noframes'
/** Elements that begin and end a line, as all do that are not named here. */
const block =
  'body br dd div dl dt footer form h1 h2 h3 h4 h5 h6 head header hr html img input li link main meta nav ol option p path pre section select svg table tbody td th thead tr ul'
/** Elements that stand in a line. */
const inline =
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr'

const parts = new Map<string, Part>([
  ...unseen.split(' ').map((name) => [name, 'unseen'] as const),
  ...inline.split(' ').map((name) => [name, 'inline'] as const),
  ...block.split(' ').map((name) => [name, 'block'] as const),
  ['title', 'title'],
])

/** The part of an element by its name in lower case; undefined for one not named here, a block. */
export function partOf(name: string): Part | undefined {
  return parts.get(name)
}

/** White space other than single spaces. */
const uneven = /[^\S ]| {2}/

/**
 * Gathers text as a reader sees it: runs of white space are one space, and
 * between blocks stands one line end. Linear, however the text comes in pieces.
 */
class VisibleText {
  readonly #lines: string[] = []
  /** The text of the block at hand, as it came. */
  #block = ''

  add(text: string): void {
    this.#block += text
  }

  /** A new block begins. */
  break(): void {
    if (this.#block === '') return
    const trimmed = this.#block.trim()
    // Most blocks have single spaces only: a test costs a tenth of putting them together anew.
    const line = uneven.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed
    if (line !== '') this.#lines.push(line)
    this.#block = ''
  }

  toString(): string {
    this.break()
    return this.#lines.join('\n')
  }
}

export interface PageLink {
  readonly url: string
  /** The page does not vouch for it. */
  readonly nofollow: boolean
}

/** More links than that are no page's, and a trap's. */
const most = 5000

/** Gathers the links of a page, each address once, in order. */
class PageLinks {
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

/** What a page tells of itself in a `<meta name>`. */
export interface PageMeta {
  /** In lower case, without space around it. */
  readonly name: string
  readonly content: string
}

export interface HtmlReading {
  readonly title: string | null
  /** What a reader sees, without markup. */
  readonly text: string
  readonly links: readonly PageLink[]
  readonly robots: RobotsDirectives
  /** The named meta tags, in order; the first hundred, with a kilobyte of content each. */
  readonly metas: readonly PageMeta[]
}

export interface HtmlReadingOptions extends Omit<NormalUrlOptions, 'base'> {
  /** Where the page is: what its links are relative to. */
  readonly url: string
  /** Whether to gather links, or to put them in the text where they stand; they cost as much as the rest. */
  readonly links: boolean | 'within'
  /** CSS selectors: only what these select is read, and without what those select. */
  readonly select?: readonly string[]
  readonly ignore?: readonly string[]
}

const linking = new Set(['a', 'area', 'base'])
const longestTitle = 1000
/** No page needs more of these; a hostile one might have millions. */
const mostMetas = 100
const longestMeta = 1000

/** Reads a page: its visible text, title, links and what it asks of crawlers. O(n), any nesting. */
export function readHtml(html: string, options: HtmlReadingOptions): HtmlReading {
  const reading = new HtmlScan(options)
  const { select = [], ignore = [] } = options
  if (select.length + ignore.length === 0) scanHtml(html, reading)
  else scanSelected(html, { select, ignore }, reading)
  return reading.result()
}

class HtmlScan {
  readonly #text = new VisibleText()
  readonly #links: PageLinks
  readonly #wantsLinks: boolean
  readonly #linksWithin: boolean
  #robots: RobotsDirectives = { noindex: false, nofollow: false }
  readonly #metas: PageMeta[] = []
  #title: string | null = null
  #inTitle = false
  /** The unseen element we are in, and how often it was opened inside itself. */
  #hidden = { name: '', depth: 0 }

  constructor(options: HtmlReadingOptions) {
    this.#links = new PageLinks(options)
    this.#wantsLinks = options.links !== false
    this.#linksWithin = options.links === 'within'
  }

  wants(name: string): boolean {
    if (this.#hidden.depth > 0) return false
    return name === 'meta' || (this.#wantsLinks && linking.has(name))
  }

  open(name: string, attributes: Attributes): void {
    if (this.#hidden.depth > 0) {
      if (name === this.#hidden.name) this.#hidden.depth++
      return
    }
    const part = partOf(name)
    if (part === 'unseen') this.#hidden = { name, depth: 1 }
    else if (part === 'title') this.#inTitle = this.#title === null
    else if (name === 'meta') this.#meta(attributes)
    else if (this.#wantsLinks && linking.has(name)) this.#link(name, attributes)
    if (part !== 'inline') this.#text.break()
  }

  close(name: string): void {
    if (this.#hidden.depth > 0) {
      if (name === this.#hidden.name) this.#hidden.depth--
      return
    }
    const part = partOf(name)
    if (part === 'title') this.#inTitle = false
    if (part !== 'inline') this.#text.break()
  }

  text(part: string): void {
    if (this.#hidden.depth > 0) return
    if (!this.#inTitle) this.#text.add(part)
    else if ((this.#title ?? '').length < longestTitle) this.#title = (this.#title ?? '') + part
  }

  result(): HtmlReading {
    const title = (this.#title ?? '').slice(0, longestTitle).replace(/\s+/g, ' ').trim()
    return {
      title: title === '' ? null : title,
      text: this.#text.toString(),
      links: this.#links.list(),
      robots: this.#robots,
      metas: this.#metas,
    }
  }

  #meta({ name = '', content = '' }: Attributes): void {
    if (isRobotsName(name)) this.#robots = bothDirectives(this.#robots, metaDirectives(content))
    if (name === '' || this.#metas.length >= mostMetas) return
    const key = name.slice(0, longestMeta).trim().toLowerCase()
    this.#metas.push({ name: key, content: content.slice(0, longestMeta) })
  }

  #link(name: string, attributes: Attributes): void {
    if (name === 'base') this.#links.rebase(attributes.href ?? '')
    else if (!this.#linksWithin) this.#links.add(attributes)
    else if (attributes.href !== undefined)
      this.#text.add(` ${linkMark}${this.#links.resolved(attributes.href)} `)
  }
}
