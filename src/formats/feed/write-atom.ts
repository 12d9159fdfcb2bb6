import { humanTime } from '../../model/duration.js'
import type { UnixSeconds } from '../../model/units.js'
import { escapeMarkup } from '../printable-text.js'

export interface AtomEntry {
  /** An IRI that never changes. */
  readonly id: string
  readonly title: string
  readonly link: string
  readonly updated: UnixSeconds
  /** Plain text. */
  readonly content: string
}

export interface AtomFeed {
  readonly id: string
  readonly title: string
  /** Where the feed itself is. */
  readonly self: string
  /** The site it belongs to, where it has one. */
  readonly site?: string
  /** Who writes it; Revisit by default. */
  readonly author?: string
  readonly updated: UnixSeconds
  readonly entries: readonly AtomEntry[]
}

/** Atom as text (RFC 4287). Every text is escaped, and what XML 1.0 cannot hold is replaced. */
export function writeAtom(feed: AtomFeed): string {
  const { id, title, self, site, updated, author = 'Revisit', entries } = feed
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${xmlText(id)}</id>`,
    `<title>${xmlText(title)}</title>`,
    `<link rel="self" type="application/atom+xml" href="${xmlText(self)}"/>`,
    ...(site === undefined ? [] : [`<link href="${xmlText(site)}"/>`]),
    `<updated>${humanTime(updated)}</updated>`,
    `<author><name>${xmlText(author)}</name></author>`,
    ...entries.map(entryText),
    '</feed>',
    '',
  ].join('\n')
}

function entryText({ id, title, link, updated, content }: AtomEntry): string {
  return [
    '<entry>',
    `<id>${xmlText(id)}</id>`,
    `<title>${xmlText(title)}</title>`,
    `<link href="${xmlText(link)}"/>`,
    `<updated>${humanTime(updated)}</updated>`,
    `<content type="text">${xmlText(content)}</content>`,
    '</entry>',
  ].join('\n')
}

/** Characters outside of XML 1.0, section 2.2, and halves of pairs. */
const notXml =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

/** A text that can stand in an element or in a quoted attribute. */
export function xmlText(text: string): string {
  return escapeMarkup(text.replace(notXml, '\ufffd'))
}
