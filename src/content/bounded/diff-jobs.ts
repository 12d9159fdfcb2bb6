import { cut, shown } from '../../formats/printable-text.js'
import type { PageRecord } from '../../model/page.js'
import type { UnixSeconds } from '../../model/units.js'
import { RuleFault } from '../apply-rules.js'
import { type View, viewedText } from '../comparable-text.js'
import { presence } from '../fingerprint.js'
import { isPdf, readPdf } from '../media-text.js'
import { type Offer, offerIn } from '../offer.js'
import { type ContentAnswer, type ReadPage, readContent } from '../read-content.js'
import { pageRules, usualRules } from '../reading-rules.js'
import { type DiffLine, type Excerpt, lineDiff, textChange } from '../text-diff.js'

export { ruleFromLine } from '../rule-from-line.js'

/** Two kept contents of a page, each read by the same rules; before is null where there is none. */
export interface ContentPair {
  readonly before: ContentAnswer | null
  readonly after: ContentAnswer
}

export interface LinesAsked {
  readonly view: View
  /** Of both texts together; longer ones are not compared. */
  readonly mostLetters: number
  readonly mostEdits: number
}

/** Why two contents have no lines to show: pictures, texts too long, or rules that cannot read one of them. */
export type Incomparable =
  | { readonly kind: 'no-text' | 'too-long' }
  | { readonly kind: 'unreadable'; readonly at: UnixSeconds | null; readonly reason: string }

export type LinesBetween =
  | { readonly kind: 'lines'; readonly lines: readonly DiffLine[] }
  | Incomparable

export async function linesBetween(
  pair: ContentPair,
  { page, asked }: { readonly page: ReadPage; readonly asked: LinesAsked },
): Promise<LinesBetween> {
  const texts = await textsOf(pair, { page, view: asked.view })
  if ('kind' in texts) return texts
  if (texts.before.length + texts.after.length > asked.mostLetters) return { kind: 'too-long' }
  return { kind: 'lines', lines: lineDiff(texts.before, texts.after, asked) }
}

export type TextIn = { readonly kind: 'text'; readonly text: string } | Incomparable

/** The text of one content in a view. */
export async function textIn(
  answer: ContentAnswer,
  how: { readonly page: ReadPage; readonly view: View },
): Promise<TextIn> {
  const text = await textOf(answer, how)
  if (text === null) return { kind: 'no-text' }
  return typeof text === 'string' ? { kind: 'text', text } : text
}

/** What a change comes to, in short: what notices and feeds say of it. */
export type ChangeBetween = { readonly title: string | null } & (
  | Incomparable
  | {
      readonly kind: 'change'
      readonly share: number
      readonly diff: string
      readonly excerpt: Excerpt
      /** What each asks for a thing; null where it asks for none. */
      readonly offers: { readonly before: Offer | null; readonly after: Offer | null }
      /** For each of the words asked for, in their order: `1` where the text has it. */
      readonly words: { readonly before: string; readonly after: string }
    }
)

export async function changeBetween(
  pair: ContentPair & { readonly before: ContentAnswer },
  { page, words }: { readonly page: ReadPage; readonly words: readonly string[] },
): Promise<ChangeBetween> {
  const title = titleOf(pair.after)
  const texts = await textsOf(pair, { page, view: 'compared' })
  if ('kind' in texts) return { title, ...texts }
  const change = textChange(texts.before, texts.after)
  if (change === null) return { title, kind: 'too-long' }
  const bare = words.map((each) => each.trim())
  const found = { before: presence(texts.before, bare), after: presence(texts.after, bare) }
  const offers = {
    before: offerIn(pair.before, texts.before),
    after: offerIn(pair.after, texts.after),
  }
  return { title, kind: 'change', ...change, words: found, offers }
}

/** What one content asks for a thing. */
export async function offerOf(
  answer: ContentAnswer,
  { page }: { readonly page: ReadPage },
): Promise<Offer | null> {
  const text = await textOf(answer, { page, view: 'compared' })
  return offerIn(answer, typeof text === 'string' ? text : null)
}

async function textsOf(
  { before, after }: ContentPair,
  how: { readonly page: ReadPage; readonly view: View },
): Promise<{ readonly before: string; readonly after: string } | Incomparable> {
  const old = before === null ? '' : await textOf(before, how)
  if (old !== null && typeof old !== 'string') return old
  const young = await textOf(after, how)
  if (young !== null && typeof young !== 'string') return young
  // A page that shows no text is compared by its bytes.
  if (old === null || young === null || old + young === '') return { kind: 'no-text' }
  return { before: old, after: young }
}

async function textOf(
  answer: ContentAnswer,
  { page, view }: { readonly page: ReadPage; readonly view: View },
): Promise<string | null | Incomparable> {
  if (isPdf(answer)) await readPdf(answer)
  try {
    const rules = view === 'compared' ? pageRules(page as PageRecord) : null
    return viewedText(answer, { view, rules: rules ?? usualRules })
  } catch (error) {
    if (!(error instanceof RuleFault)) throw error
    return { kind: 'unreadable', at: answer.at, reason: error.message }
  }
}

function titleOf(answer: ContentAnswer): string | null {
  const line = shown((readContent(answer).title ?? '').replace(/\s+/g, ' ').trim())
  return line === '' ? null : cut(line, 200)
}
