import { charsetOf } from '../formats/charset.js'
import type { NormalUrlOptions } from '../formats/url.js'
import { bothDirectives, headerDirectives, type RobotsDirectives } from '../formats/user-agent.js'
import type { FetchAnswer } from '../model/fetcher.js'
import type { PageRecord } from '../model/page.js'
import { bytesFingerprint, textFingerprint } from './fingerprint.js'
import { type PageLink, type PageMeta, readHtml } from './html-reading.js'
import { type MediaKind, mediaKind, pdfTextOf, plainText } from './media-text.js'

/** An answer that brought content. */
export type ContentAnswer = Extract<FetchAnswer, { kind: 'content' }>

/** Of a page's record, what reading it needs. */
export type ReadPage = Pick<PageRecord, 'url' | 'settings' | 'noise' | 'visits' | 'lastSeen'>

/** What a content is, once it is understood. */
export interface ContentReading {
  readonly kind: MediaKind
  /** The encoding it was read in; null for what is no text. */
  readonly charset: string | null
  readonly title: string | null
  /** The visible text of a page, the whole of other text, null for the rest. */
  readonly text: string | null
  /** Equal for contents that a reader would call the same. */
  readonly fingerprint: string
  /** Addresses in normal form; none unless asked for. */
  readonly links: readonly PageLink[]
  readonly robots: RobotsDirectives
  /** The named meta tags of a page; none for the rest. */
  readonly metas: readonly PageMeta[]
}

export interface ReadOptions extends Omit<NormalUrlOptions, 'base'> {
  /** Whether to gather links; no by default. */
  readonly links?: boolean
}

/**
 * Reads the content of an answer. A page is compared by its visible text, so
 * that a new token in a script is no change; one that shows no text, by its
 * bytes, as is everything that is no text. Never throws, whatever the bytes.
 */
export function readContent(answer: ContentAnswer, options: ReadOptions = {}): ContentReading {
  const { body, headers } = answer
  const contentType = headers['content-type']
  const kind = mediaKind(body, contentType)
  const charset = kind === 'binary' ? null : charsetOf(body, contentType)
  const whole = charset === null ? null : new TextDecoder(charset).decode(body)
  const page =
    whole !== null && kind === 'html' ? readHtml(whole, htmlOptions(answer, options)) : null
  const text = page === null ? whole : page.text
  const directives = headerDirectives(headers['x-robots-tag'] ?? '')
  return {
    kind,
    charset,
    title: page?.title ?? null,
    text,
    fingerprint: fingerprintOf(answer, { kind, text }),
    links: page?.links ?? [],
    robots: page === null ? directives : bothDirectives(page.robots, directives),
    metas: page?.metas ?? [],
  }
}

/** A title further down is not looked for, in bytes. */
const longestHead = 256 * 1024

/** The title of a page, by reading it up to the end of its first one; null where it has none. */
export function titleOf(answer: ContentAnswer): string | null {
  const { body, headers } = answer
  const end = titleEnd(body)
  if (end < 0) return null
  const head = body.subarray(0, end + '</title>'.length)
  const contentType = headers['content-type']
  if (mediaKind(head, contentType) !== 'html') return null
  const text = new TextDecoder(charsetOf(head, contentType)).decode(head)
  return readHtml(text, htmlOptions(answer, {})).title
}

/** Where the first title ends; -1 where there is none. Most stand near the beginning, and every change comes through here. */
function titleEnd({ buffer, byteOffset, byteLength }: Uint8Array): number {
  const most = Math.min(byteLength, longestHead)
  for (let size = 2048; ; size *= 8) {
    const bytes = Buffer.from(buffer, byteOffset, Math.min(size, most))
    const end = bytes.toString('latin1').search(/<\/title/i)
    if (end >= 0 || size >= most) return end
  }
}

/** By what a reader sees; JSON and feeds by what they hold; the rest by its bytes. */
function fingerprintOf(
  answer: ContentAnswer,
  { kind, text }: { kind: MediaKind; text: string | null },
): string {
  const known = text ?? pdfTextOf(answer) ?? ''
  if (known === '') return bytesFingerprint(answer.body)
  const contentType = answer.headers['content-type']
  return textFingerprint(kind === 'text' ? plainText(known, { contentType }) : known)
}

function htmlOptions({ url }: ContentAnswer, { links = false, ...rest }: ReadOptions) {
  return { url, links, ...rest }
}
