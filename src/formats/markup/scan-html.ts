import { decodedText } from './decoded-entities.js'
import { type HtmlPlaces, scanHtmlPlaces } from './scan-html-places.js'
import type { Attributes } from './scan-markup.js'

/** What a scan of a page meets, in order. */
export interface HtmlEvents extends Omit<HtmlPlaces, 'span'> {
  /** Text with its entities decoded; one run may come in several pieces. */
  text(text: string): void
}

/** Scans a page into tags and text; see `scanHtmlPlaces`. */
export function scanHtml(text: string, events: HtmlEvents): void {
  scanHtmlPlaces(text, new Told(text, events))
}

/** Tells the text itself where the scan tells places. */
class Told implements HtmlPlaces {
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
    this.#events.text(coded ? decodedText(part) : part)
  }
}
