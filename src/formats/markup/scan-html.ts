import {
  type Attributes,
  commentEnd,
  commonName,
  decodedEntities,
  endOfName,
  isSpace,
  keptIn,
  lower,
  tagEnd,
} from './html-tag.js'

/** What a scan of a page meets, in order; text by where it stands. */
export interface HtmlPlaces {
  /** Whether the attributes of such an element are to be read; reading them costs as much as the rest. */
  wants(name: string): boolean
  /** The name in lower case; no attributes unless wanted. */
  open(name: string, attributes: Attributes): void
  close(name: string): void
  /** Text from one place up to another; coded where it may have entities to decode. */
  span(from: number, to: number, coded: boolean): void
}

/** Elements whose content is text up to their own closing tag. HTML Standard, 13.2.5.2 to 13.2.5.4. */
const rawText = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes'])
const decodedRawText = new Set(['title', 'textarea'])
const ownWay = new Set([...rawText, ...decodedRawText, 'plaintext'])
const noAttributes: Attributes = Object.freeze({})

const gt = 62
const slash = 47

/**
 * Scans a page into tags and text, as htmlparser2's tokenizer does and several
 * times as fast: it leaps from mark to mark where that one looks at each
 * character. What is cut off at the end of the text is let go. No tree, no
 * stack, never throws. O(n).
 */
export function scanHtmlPlaces(text: string, places: HtmlPlaces): void {
  new HtmlScanner(text, places).run()
}

class HtmlScanner {
  readonly #text: string
  readonly #places: HtmlPlaces
  /** Where the text that is not yet reported begins. */
  #from = 0
  /** Where the next entity may begin, as far as looked for; the end where there is none. */
  #entity = -1

  constructor(text: string, places: HtmlPlaces) {
    this.#text = text
    this.#places = places
  }

  run(): void {
    const text = this.#text
    let at = text.indexOf('<')
    while (at !== -1) {
      const next = text.charCodeAt(at + 1)
      if (isLetter(next)) this.#openTag(at)
      else if (next === slash) this.#closeTag(at)
      else if (next === 33) this.#leaveOut(at, this.#declarationEnd(at))
      else if (next === 63) this.#leaveOut(at, text.indexOf('>', at + 2))
      else {
        at = text.indexOf('<', at + 1)
        continue
      }
      at = text.indexOf('<', this.#from)
    }
    this.#report(text.length)
  }

  /** Reports the text up to a place. */
  #report(to: number): void {
    const from = this.#from
    if (to > from) this.#places.span(from, to, this.#isCoded(from, to))
  }

  /** Whether an entity may begin in a part; parts come in order, so that each `&` is looked for once. */
  #isCoded(from: number, to: number): boolean {
    if (this.#entity < from) {
      const next = this.#text.indexOf('&', from)
      this.#entity = next === -1 ? this.#text.length : next
    }
    return this.#entity < to
  }

  #leaveOut(at: number, end: number): void {
    this.#report(at)
    this.#from = end === -1 ? this.#text.length : end + 1
  }

  #closeTag(at: number): void {
    const text = this.#text
    const from = at + 2
    const common = commonName(text, from)
    const nameEnd =
      common !== undefined
        ? from + common.length
        : isLetter(text.charCodeAt(from))
          ? endOfName(text, from)
          : -1
    const end = text.charCodeAt(nameEnd) === gt ? nameEnd : text.indexOf('>', from)
    // What is only `</` at the end of the text is text.
    this.#leaveOut(from < text.length ? at : text.length, end)
    if (nameEnd !== -1 && end !== -1) this.#places.close(common ?? lower(text.slice(from, nameEnd)))
  }

  #openTag(at: number): void {
    const text = this.#text
    this.#report(at)
    const common = commonName(text, at + 1)
    const nameEnd = common !== undefined ? at + 1 + common.length : endOfName(text, at + 1)
    const name = common ?? lower(text.slice(at + 1, nameEnd))
    const attributes = this.#places.wants(name) ? {} : noAttributes
    const take = attributes === noAttributes ? null : keptIn(attributes, text)
    const end = text.charCodeAt(nameEnd) === gt ? nameEnd : tagEnd(text, nameEnd, take)
    this.#from = end === -1 ? text.length : end + 1
    if (end === -1) return
    this.#places.open(name, attributes)
    if (!ownWay.has(name)) return
    if (name === 'plaintext') this.#reportRaw(text.length, name)
    else this.#rawText(name)
  }

  /** The content of an element that holds text only; all the rest where it is never closed. */
  #rawText(name: string): void {
    const text = this.#text
    let at = text.indexOf('</', this.#from)
    while (at !== -1 && !closes(text, at + 2, name)) at = text.indexOf('</', at + 2)
    this.#reportRaw(at === -1 ? text.length : at, name)
    if (at !== -1) this.#closeTag(at)
  }

  #reportRaw(to: number, name: string): void {
    const from = this.#from
    if (to > from) this.#places.span(from, to, decodedRawText.has(name) && this.#isCoded(from, to))
    this.#from = to
  }

  /** Where a comment, a CDATA section or a declaration ends; -1 where it does not. */
  #declarationEnd(at: number): number {
    const text = this.#text
    if (text.startsWith('--', at + 2)) return commentEnd(text, at + 4)
    if (!text.startsWith('[CDATA[', at + 2)) return text.indexOf('>', at + 2)
    const end = text.indexOf(']]>', at + 9)
    return end === -1 ? -1 : end + 2
  }
}

function isLetter(code: number): boolean {
  const small = code | 32
  return small >= 97 && small <= 122
}

function closes(text: string, at: number, name: string): boolean {
  const end = at + name.length
  const after = text.charCodeAt(end)
  if (!(after === gt || after === slash || isSpace(after))) return false
  return text.startsWith(name, at) || text.slice(at, end).toLowerCase() === name
}

/** What a scan of a page meets, in order. */
export interface HtmlEvents extends Omit<HtmlPlaces, 'span'> {
  /** Text with its entities decoded; one run may come in several pieces. */
  text(text: string): void
}

/** Scans a page into tags and text; see `scanHtmlPlaces`. */
export function scanHtml(text: string, events: HtmlEvents): void {
  scanHtmlPlaces(text, new PlacesToEvents(text, events))
}

/** Reports the text itself where the scan reports places. */
class PlacesToEvents implements HtmlPlaces {
  readonly #text: string
  readonly #events: HtmlEvents

  constructor(text: string, events: HtmlEvents) {
    this.#text = text
    this.#events = events
  }

  wants(name: string): boolean {
    return this.#events.wants(name)
  }

  open(name: string, attributes: Attributes): void {
    this.#events.open(name, attributes)
  }

  close(name: string): void {
    this.#events.close(name)
  }

  span(from: number, to: number, coded: boolean): void {
    const part = this.#text.slice(from, to)
    this.#events.text(coded ? decodedEntities(part) : part)
  }
}
