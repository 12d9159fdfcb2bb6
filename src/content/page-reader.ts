import { isAscii } from 'node:buffer'
import { charsetOf } from '../formats/charset.js'
import { lastModifiedOf } from '../formats/time/web-dates.js'
import { OptionError } from '../model/errors.js'
import { LruMap } from '../model/lru-map.js'
import type { PageRecord } from '../model/page.js'
import type { Reader, Reading, UnreadContent } from '../model/reader.js'
import { RuleFault } from './apply-rules.js'
import { countedText } from './comparable-text.js'
import {
  bytesFingerprint,
  compareFingerprints,
  presence,
  simhash,
  textFingerprint,
  wordsAndLinks,
} from './fingerprint.js'
import { mediaKind } from './media-text.js'
import { type ContentAnswer, readContent } from './read-content.js'
import { type PageRules, pageRules, waitsForWords } from './reading-rules.js'
import { visibleFingerprint } from './visible-fingerprint.js'

/** The fingerprint alone that `readContent` gives, for who needs no more of a content. */
function contentFingerprint(answer: ContentAnswer): string {
  const known = isUtf8Page(answer) ? visibleFingerprint(answer.body) : undefined
  return known ?? readContent(answer).fingerprint
}

/** Whether a content is a page that can be read as one in UTF-8, if its bytes are that. */
function isUtf8Page({ body, headers }: ContentAnswer): boolean {
  const contentType = headers['content-type']
  if (mediaKind(body, contentType) !== 'html') return false
  const charset = charsetOf(body, contentType)
  return charset === 'utf-8' || (charset === 'windows-1252' && isAscii(body))
}

/** Reads pages by their visible text, or by their own rules, for the loop. */
export const pageReader: Reader = readerBy((answer) => ({
  fingerprint: contentFingerprint(answer),
}))

/** What bytes were found to be when they came as a content of this type. */
interface KnownContent {
  readonly type: string | undefined
  readonly fingerprint: string
}

/** Those read last, by their digest: about 10 MB. */
export function knownContents(): LruMap<KnownContent> {
  return new LruMap({ most: 50_000 })
}

/**
 * The same for a loop that comes back: bytes it has read before, of the same
 * type, are known by their digest and not read again, which costs a quarter.
 * Keeps the digests of the last contents, and none of the contents.
 */
export function rememberingPageReader(known = knownContents()): Reader {
  return readerBy((answer) => {
    const digest = bytesFingerprint(answer.body)
    const type = answer.headers['content-type']
    const before = known.get(digest)
    if (before !== undefined && before.type === type)
      return { fingerprint: before.fingerprint, digest }
    const fingerprint = contentFingerprint(answer)
    known.set(digest, { type, fingerprint })
    return { fingerprint, digest }
  })
}

/** What a content is compared by, and its digest where that was needed on the way. */
type Marks = { -readonly [Field in keyof Reading]: Reading[Field] }

function readerBy(usual: (answer: ContentAnswer) => Marks): Reader {
  return {
    read(answer, page) {
      const marks = marksOf(answer, { page, usual })
      return 'fault' in marks ? marks : Object.assign(marks, headMarks(answer))
    },
    compare: compareFingerprints,
    isCurrent,
    lastModified: ({ headers, at }) => lastModifiedOf(headers, { now: at }) ?? undefined,
  }
}

/** What an answer's headers tell of its content. */
export function headMarks({ headers, at }: ContentAnswer): Partial<Marks> {
  const marks: Partial<Marks> = {}
  const lastModified = lastModifiedOf(headers, { now: at })
  if (lastModified !== null) marks.lastModified = lastModified
  const mediaType = headers['content-type']
  if (mediaType !== undefined) marks.mediaType = mediaType
  return marks
}

/** Whether a page's fingerprint bears the mark of the rules it has now. */
function isCurrent(page: PageRecord): boolean {
  const made = page.fingerprint?.slice(0, page.fingerprint.indexOf(':') + 1) ?? ''
  try {
    return made === (pageRules(page)?.mark ?? '')
  } catch {
    return false
  }
}

function marksOf(
  answer: ContentAnswer,
  { page, usual }: { page: PageRecord; usual: (answer: ContentAnswer) => Marks },
): Marks | UnreadContent {
  try {
    const rules = pageRules(page)
    if (rules === null) return usual(answer)
    return { fingerprint: rules.mark + ruledFingerprint(answer, rules) }
  } catch (error) {
    if (error instanceof RuleFault) return { fault: error.fault }
    // Rules are checked when they are set; a store may hold others all the same.
    if (error instanceof OptionError) return { fault: error.code }
    // Whatever is wrong with one page is that page's own fault.
    return { fault: 'unreadable', message: (error as Error).message }
  }
}

/** By a page's own rules; what has no text is compared by its bytes. */
function ruledFingerprint(answer: ContentAnswer, rules: PageRules): string {
  const { compare, appear, disappear } = rules
  const waits = waitsForWords(rules)
  if (compare === 'bytes' && !waits) return bytesFingerprint(answer.body)
  const text = countedText(answer, rules)
  if (waits) return `${presence(text ?? '', appear)}/${presence(text ?? '', disappear)}`
  if (text === null) return bytesFingerprint(answer.body)
  if (compare === 'near-duplicate') return simhash(text)
  return textFingerprint(compare === 'words-and-links' ? wordsAndLinks(text) : text)
}
