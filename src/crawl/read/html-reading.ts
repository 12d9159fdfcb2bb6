import { type Attributes, scanHtml } from '../../formats/index.js'
import type { NormalUrlOptions } from '../url/normal-url.js'
import { linkMark } from './compare/words-and-links.js'
import { type PageLink, PageLinks } from './page-links.js'
import {
  bothDirectives,
  isRobotsName,
  metaDirectives,
  type RobotsDirectives,
} from './robots-directives.js'
import { scanSelected } from './rules/selected-html.js'
import { partOf } from './visible-parts.js'
import { VisibleText } from './visible-text.js'

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
