import { decodedText } from './decoded-entities.js'
import { endOfName, isSpace, lower, tagEnd } from './html-tag.js'
import type { Attributes } from './scan-markup.js'

/** What a scan of a page meets, in order. */
export interface HtmlEvents {
  /** Whether the attributes of such an element are to be read; reading them costs as much as the rest. */
  wants(name: string): boolean
  /** The name in lower case; no attributes unless wanted. */
  open(name: string, attributes: Attributes): void
  close(name: string): void
  /** Text with its entities decoded; one run may come in several pieces. */
  text(text: string): void
}

/** Elements whose content is text up to their own closing tag. HTML Standard, 13.2.5.2 to 13.2.5.4. */
const rawText = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes'])
const decodedRawText = new Set(['title', 'textarea'])
const noAttributes: Attributes = Object.freeze({})

const gt = 62
const slash = 47

/**
 * Scans a page into tags and text, as htmlparser2's tokenizer does and nearly three
 * times as fast: it leaps from mark to mark where that one looks at each
 * character. What is cut off at the end of the text is let go. No tree, no
 * stack, never throws. O(n).
 */
export function scanHtml(text: string, events: HtmlEvents): void {
  new HtmlScanner(text, events).run()
}

class HtmlScanner {
  readonly #text: string
  readonly #events: HtmlEvents
  /** Where the text that is not yet told begins. */
  #from = 0

  constructor(text: string, events: HtmlEvents) {
    this.#text = text
    this.#events = events
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
    this.#tell(text.length)
  }

  /** Tells the text up to a place. */
  #tell(to: number): void {
    if (to > this.#from) this.#events.text(decodedText(this.#text.slice(this.#from, to)))
  }

  #leaveOut(at: number, end: number): void {
    this.#tell(at)
    this.#from = end === -1 ? this.#text.length : end + 1
  }

  #closeTag(at: number): void {
    const text = this.#text
    const nameEnd = isLetter(text.charCodeAt(at + 2)) ? endOfName(text, at + 2) : -1
    const end = text.indexOf('>', at + 2)
    // What is only `</` at the end of the text is text.
    this.#leaveOut(at + 2 < text.length ? at : text.length, end)
    if (nameEnd !== -1 && end !== -1) this.#events.close(lower(text.slice(at + 2, nameEnd)))
  }

  #openTag(at: number): void {
    const text = this.#text
    this.#tell(at)
    const nameEnd = endOfName(text, at + 1)
    const name = lower(text.slice(at + 1, nameEnd))
    const attributes = this.#events.wants(name) ? {} : null
    const end = text.charCodeAt(nameEnd) === gt ? nameEnd : tagEnd(text, nameEnd, attributes)
    this.#from = end === -1 ? text.length : end + 1
    if (end === -1) return
    this.#events.open(name, attributes ?? noAttributes)
    if (rawText.has(name) || decodedRawText.has(name)) this.#rawText(name)
    else if (name === 'plaintext') this.#tellRaw(text.length, name)
  }

  /** The content of an element that holds text only; all the rest where it is never closed. */
  #rawText(name: string): void {
    const text = this.#text
    let at = text.indexOf('</', this.#from)
    while (at !== -1 && !closes(text, at + 2, name)) at = text.indexOf('</', at + 2)
    this.#tellRaw(at === -1 ? text.length : at, name)
    if (at !== -1) this.#closeTag(at)
  }

  #tellRaw(to: number, name: string): void {
    const raw = this.#text.slice(this.#from, to)
    if (raw !== '') this.#events.text(decodedRawText.has(name) ? decodedText(raw) : raw)
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

/** `-->` or `--!>`; `<!-->` and `<!--->` are whole comments. HTML Standard, 13.2.5.43. */
function commentEnd(text: string, from: number): number {
  if (text.charCodeAt(from) === gt) return from
  if (text.startsWith('->', from)) return from + 1
  let at = text.indexOf('--', from)
  while (at !== -1) {
    let after = at + 2
    while (text.charCodeAt(after) === 45) after++
    if (text.charCodeAt(after) === gt) return after
    if (text.startsWith('!>', after)) return after + 1
    at = text.indexOf('--', after)
  }
  return -1
}

function closes(text: string, at: number, name: string): boolean {
  const end = at + name.length
  const after = text.charCodeAt(end)
  if (!(after === gt || after === slash || isSpace(after))) return false
  return text.startsWith(name, at) || text.slice(at, end).toLowerCase() === name
}
