import type { ContentAnswer } from '../content-answer.js'

/** Texts of PDF answers read beforehand; gone with the answers. */
const texts = new WeakMap<ContentAnswer, string>()
/** More than that is compared by its bytes: reading it would hold up everything else. */
const largest = 5 * 1024 * 1024

export function isPdf({ body }: ContentAnswer): boolean {
  return body[0] === 0x25 && body[1] === 0x50 && body[2] === 0x44 && body[3] === 0x46
}

/** The text of a PDF that was read beforehand; undefined where it was not or could not be. */
export function pdfTextOf(answer: ContentAnswer): string | undefined {
  return texts.get(answer)
}

/**
 * Reads the text of a PDF by `unpdf`, an optional package. Where that is not
 * there or cannot read it, there is none, and the page is compared by its
 * bytes. Never throws, and may never end: nested forms take exponential time,
 * and no timer fires meanwhile. Whoever calls this does so on a thread that
 * can be terminated.
 */
export async function readPdf(answer: ContentAnswer): Promise<void> {
  if (!isPdf(answer) || answer.body.length > largest) return
  const text = await extracted(answer.body).catch(() => null)
  if (text !== null && text.trim() !== '') texts.set(answer, text)
}

async function extracted(body: Uint8Array): Promise<string> {
  const { extractText, getDocumentProxy } = await import('unpdf')
  // A copy: what is given is taken away from its owner.
  // Its warnings about a page's bytes would go to our own output.
  const document = await getDocumentProxy(Uint8Array.from(body), { verbosity: 0 })
  const { text } = await extractText(document, { mergePages: false })
  return text.map((page) => page.replace(/[^\S\n]+/g, ' ').trim()).join('\n')
}
