import { attributeValue, beginsRawText, rawTextEnd, type Token, tokenAt } from './html-tokens.js'
import { tagName } from './tag.js'

/** What the head of a page holds, by places in its text. */
export interface HeadScan {
  /** The Change-Frequency tags in it, in order. */
  readonly tags: readonly Token[]
  /** Where a new one belongs. */
  readonly insertAt: number
  /** Whether anything says that this is a page and not a piece of one. */
  readonly whole: boolean
  /** Whether it is written as XHTML, where a tag without end must be closed. */
  readonly xhtml: boolean
  /** Where the head ended for certain; null where the text ended first. */
  readonly endedAt: number | null
}

/** Elements that belong to the head, before its end and, strangely, also after it. */
const headElements = new Set(
  'base basefont bgsound link meta title noframes style script template'.split(' '),
)
const blank = /^[\t\n\f\r ]*$/

/**
 * Finds the head of a page as a browser does (HTML Standard, 13.2.6.4.2 to
 * 13.2.6.4.6): it may begin and end without a tag, goes on after `</head>` for
 * the elements that belong to it, and what stands in comments, scripts, titles,
 * templates and noscript is none of it. Any text; O(length of the head).
 *
 * A new tag goes to the start of the head, but after the tag that tells the
 * encoding, which must stand in the first kilobyte.
 */
export function scanHead(text: string): HeadScan {
  return new HeadScanner(text).scan()
}

class HeadScanner {
  readonly #text: string
  readonly #xml: boolean
  readonly #tags: Token[] = []
  #insertAt: number
  #whole = false
  #xhtml: boolean
  #stage: 'before' | 'in' | 'after' = 'before'
  #reportedEncoding = false
  /** Templates we are in. */
  #depth = 0

  constructor(text: string) {
    this.#text = text
    this.#insertAt = text.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0
    this.#xml = /^<\?xml[\t\n\r ]/.test(text.slice(this.#insertAt, this.#insertAt + 6))
    this.#xhtml = this.#xml
  }

  scan(): HeadScan {
    let endedAt: number | null = null
    let at = this.#insertAt
    while (at < this.#text.length && endedAt === null) {
      const token = tokenAt(this.#text, at, { xml: this.#xml })
      if (token === null) break
      if (!this.#belongs(token)) endedAt = token.end
      else at = this.#after(token)
      // What comes before the head stays before it.
      if (this.#stage === 'before' && endedAt === null) this.#insertAt = at
    }
    return {
      tags: this.#tags,
      insertAt: this.#insertAt,
      whole: this.#whole,
      xhtml: this.#xhtml,
      endedAt,
    }
  }

  /** Takes a token in; whether the head goes on after it. */
  #belongs(token: Token): boolean {
    if (token.kind === 'comment') return true
    if (this.#depth > 0) return this.#inTemplate(token)
    if (token.kind === 'doctype') return this.#doctype(token)
    if (token.kind === 'text') return blank.test(this.#text.slice(token.start, token.end))
    return token.kind === 'close' ? this.#close(token) : this.#open(token)
  }

  #inTemplate({ kind, name }: Token): true {
    if (name === 'template') this.#depth += kind === 'open' ? 1 : -1
    return true
  }

  /** One that comes later means nothing. */
  #doctype({ start, end }: Token): true {
    if (this.#stage !== 'before') return true
    this.#whole = true
    if (/xhtml/i.test(this.#text.slice(start, end))) this.#xhtml = true
    return true
  }

  #close({ name }: Token): boolean {
    if (name === 'body' || name === 'html') this.#whole = true
    if (name === 'body' || name === 'html' || name === 'br') return false
    if (name === 'head') {
      this.#whole = true
      this.#stage = 'after'
    }
    return true
  }

  #open(token: Token): boolean {
    const { name } = token
    if (['html', 'head', 'body', 'frameset', 'title'].includes(name)) this.#whole = true
    if (name === 'html' || name === 'head') this.#begin(token)
    else if (headElements.has(name)) this.#element(token)
    else if (name !== 'noscript' || this.#stage === 'after') return false
    else this.#stage = 'in'
    return true
  }

  #begin({ name, end, attributes }: Token): void {
    if (this.#stage !== 'before') return
    if (name === 'head') {
      this.#stage = 'in'
      this.#insertAt = end
    } else if (attributes.some((each) => each.name === 'xmlns')) this.#xhtml = true
  }

  #element(token: Token): void {
    if (this.#stage === 'before') this.#stage = 'in'
    if (token.name === 'template' && !(this.#xml && token.closed)) this.#depth = 1
    if (token.name !== 'meta') return
    const value = (name: string) => attributeValue(this.#text, { token, name })
    if (value('name')?.trim().toLowerCase() === tagName.toLowerCase()) this.#tags.push(token)
    const encoding = value('http-equiv')?.trim().toLowerCase() === 'content-type'
    if (this.#reportedEncoding || !(encoding || value('charset') !== undefined)) return
    this.#reportedEncoding = true
    this.#insertAt = token.end
  }

  #after({ kind, name, end, closed }: Token): number {
    if (kind !== 'open' || !beginsRawText(name) || (this.#xml && closed)) return end
    return rawTextEnd(this.#text, { name, at: end, xml: this.#xml })
  }
}
