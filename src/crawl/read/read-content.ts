import { charsetOf } from '../../formats/index.js'
import type { UnixSeconds, Validators } from '../../model/index.js'
import type { NormalUrlOptions } from '../url/normal-url.js'
import { pdfTextOf } from './content/pdf-text.js'
import { plainText } from './content/plain-text.js'
import type { ContentAnswer } from './content-answer.js'
import { bytesFingerprint, textFingerprint } from './fingerprint.js'
import { type PageMeta, readHtml } from './html-reading.js'
import { lastModifiedOf } from './last-modified.js'
import { type MediaKind, mediaKind } from './media-kind.js'
import type { PageLink } from './page-links.js'
import { bothDirectives, headerDirectives, type RobotsDirectives } from './robots-directives.js'

/** What a content is, once it is understood. */
export interface Reading {
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
  readonly lastModified: UnixSeconds | null
  /** What to send back at the next visit. */
  readonly validators: Validators
}

export interface ReadOptions extends Omit<NormalUrlOptions, 'base'> {
  /** Whether to gather links; no unless said. */
  readonly links?: boolean
}

/**
 * Reads the content of an answer. A page is compared by its visible text, so
 * that a new token in a script is no change; one that shows no text, by its
 * bytes, as is everything that is no text. Never throws, whatever the bytes.
 */
export function readContent(answer: ContentAnswer, options: ReadOptions = {}): Reading {
  const { body, headers, at } = answer
  const contentType = headers['content-type']
  const kind = mediaKind(body, contentType)
  const charset = kind === 'binary' ? null : charsetOf(body, contentType)
  const whole = charset === null ? null : new TextDecoder(charset).decode(body)
  const page =
    whole !== null && kind === 'html' ? readHtml(whole, htmlOptions(answer, options)) : null
  const text = page === null ? whole : page.text
  const said = headerDirectives(headers['x-robots-tag'] ?? '')
  return {
    kind,
    charset,
    title: page?.title ?? null,
    text,
    fingerprint: fingerprintOf(answer, { kind, text }),
    links: page?.links ?? [],
    robots: page === null ? said : bothDirectives(page.robots, said),
    metas: page?.metas ?? [],
    lastModified: lastModifiedOf(headers, { now: at }),
    validators: validatorsOf(headers),
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

/** The marks to send back, as the server wrote them. */
export function validatorsOf(headers: Readonly<Record<string, string>>): Validators {
  const { etag, 'last-modified': lastModified } = headers
  return {
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
  }
}
