import { Tokenizer } from 'htmlparser2'
import type { Attributes } from './html-tag.js'

/** What a scan meets, in order. Positions are those of the whole text. */
interface XmlEvents {
  /** `after`: where the tag ends. A tag closed in itself is followed by its own close. */
  open(name: string, attributes: Attributes, place: { readonly after: number }): void
  /** `at`: where the closing tag begins; the end of the text if it never came. */
  close?(name: string, place: { readonly at: number }): void
  /** Text with its entities decoded; one run may come in several pieces. */
  text?(text: string): void
}

/**
 * Scans XML into tags and text, with no tree and no stack: htmlparser2's own
 * parser keeps the open elements in an array and shifts it at each tag, so that
 * 100,000 nested elements cost it 8 seconds and its tokenizer a few
 * milliseconds. Whatever the input, nothing is thrown. O(n).
 */
export function scanXml(text: string, events: XmlEvents): void {
  let tag = ''
  let attribute = ''
  let value = ''
  let attributes: Record<string, string> = {}
  const opened = (end: number) => events.open(tag, attributes, { after: end + 1 })
  const tokenizer = new Tokenizer(
    { xmlMode: true, decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = text.slice(start, end)
        attributes = {}
      },
      onattribname(start, end) {
        attribute = text.slice(start, end)
      },
      onattribdata(start, end) {
        value += text.slice(start, end)
      },
      onattribentity(code) {
        value += String.fromCodePoint(code)
      },
      onattribend() {
        if (!Object.hasOwn(attributes, attribute) && attribute !== '__proto__')
          attributes[attribute] = value
        value = ''
      },
      onopentagend: opened,
      onselfclosingtag(end) {
        opened(end)
        events.close?.(tag, { at: end + 1 })
      },
      onclosetag(start, end) {
        events.close?.(text.slice(start, end), { at: start - 2 })
      },
      ontext(start, end) {
        events.text?.(text.slice(start, end))
      },
      ontextentity(code) {
        events.text?.(String.fromCodePoint(code))
      },
      oncdata(start, end, endOffset) {
        events.text?.(text.slice(start, end - endOffset))
      },
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  )
  tokenizer.write(text)
  tokenizer.end()
}
